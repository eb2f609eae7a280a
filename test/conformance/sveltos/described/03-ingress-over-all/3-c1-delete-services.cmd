# cluster: c1
kubectl delete service -n eng my-service my-service-2 third-service
