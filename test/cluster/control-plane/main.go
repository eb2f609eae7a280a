// One program that is a whole Kubernetes control plane and its client: the first argument says which part it is.
// The parts are upstream's own commands; only etcd is put together here, since its command needs flags that nobody
// wants to repeat for a cluster that lives as long as a test.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// leash names the environment variable by which whoever starts a part ties it to its own life.
const leash = "SLUICE_LEASH"

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	part := os.Args[1]
	os.Args = os.Args[1:]
	if os.Getenv(leash) == "stdin" && part != "kubectl" {
		go endWithStdin()
	}
	switch part {
	case "etcd":
		runEtcd(os.Args[1:])
	case "kube-apiserver":
		run(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		run(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		run(scheduler.NewSchedulerCommand())
	case "kubectl":
		runKubectl()
	default:
		usage()
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: control-plane etcd|kube-apiserver|kube-controller-manager|kube-scheduler|kubectl [flags]")
	os.Exit(2)
}

func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

func runKubectl() {
	logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

// endWithStdin ends this process when the one that holds the other end of its standard input is gone, however it went.
func endWithStdin() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(10 * time.Second)
	os.Exit(1)
}
