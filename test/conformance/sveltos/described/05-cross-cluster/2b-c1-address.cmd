# cluster: c1
kubectl patch service web -n default --subresource=status --type=merge -p '{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.10"}]}}}'
