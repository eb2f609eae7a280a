# cluster: management
kubectl patch clusterprofile two --type=merge -p '{"spec":{"tier":50}}'
