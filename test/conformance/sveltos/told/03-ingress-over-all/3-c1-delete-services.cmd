# cluster: c1
kubectl delete service -n eng my-service another-service third-service
