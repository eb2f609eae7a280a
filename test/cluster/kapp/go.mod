module sluice.example/kapp

go 1.26.0

require carvel.dev/kapp v0.66.0
