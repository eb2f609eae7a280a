# cluster: management
kubectl patch clusterprofile demo --type=merge -p '{"spec":{"tier":0}}'
