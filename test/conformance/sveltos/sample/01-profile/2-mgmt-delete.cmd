# cluster: management
kubectl delete clusterprofile/demo --wait=false
