# cluster: c1
kubectl patch service web --subresource=status --type=json -p '[{"op":"replace","path":"/status/loadBalancer/ingress/0/ip","value":"192.0.2.11"}]'
