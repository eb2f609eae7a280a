# cluster: c1
kubectl delete service/web
