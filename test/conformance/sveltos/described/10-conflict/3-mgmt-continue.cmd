# cluster: management
kubectl patch clusterprofile two --type=merge -p '{"spec":{"continueOnConflict":true}}'
