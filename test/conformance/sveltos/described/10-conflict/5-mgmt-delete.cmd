# cluster: management
kubectl delete clusterprofile two --wait=false
