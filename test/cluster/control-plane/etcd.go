package main

import (
	"context"
	"flag"
	"log"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd serves an etcd of one member that keeps nothing beyond its own life: it never waits for the disk.
func runEtcd(args []string) {
	flags := flag.NewFlagSet("etcd", flag.ExitOnError)
	directory := flags.String("data-dir", "", "where the data is")
	clients := flags.String("listen-client-urls", "http://127.0.0.1:2379", "where clients are served")
	peers := flags.String("listen-peer-urls", "http://127.0.0.1:2380", "where peers would be served")
	_ = flags.Parse(args)

	config := embed.NewConfig()
	config.Dir = *directory
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	config.AutoCompactionMode = embed.CompactorModeRevision
	config.AutoCompactionRetention = "10000"
	config.ListenClientUrls = urls(*clients)
	config.AdvertiseClientUrls = urls(*clients)
	config.ListenPeerUrls = urls(*peers)
	config.AdvertisePeerUrls = urls(*peers)
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	server, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatalf("etcd: %v", err)
	}
	<-server.Server.ReadyNotify()
	age(server)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	<-ended
	server.Close()
}

// age lets some revisions pass before anybody comes, so that the first ones are history as in any cluster that has lived:
// a watch from revision 1 is too old for every resource from the start.
func age(server *embed.Etcd) {
	for range 20 {
		if _, err := server.Server.Put(context.Background(), &pb.PutRequest{Key: []byte("age"), Value: []byte("1")}); err != nil {
			log.Fatalf("etcd: %v", err)
		}
	}
}

func urls(text string) []url.URL {
	parsed, err := url.Parse(text)
	if err != nil {
		log.Fatalf("etcd: %v", err)
	}
	return []url.URL{*parsed}
}
