import type { Json } from "../../../src/core/object/index.ts";

type Fields = { readonly [field: string]: Json };

/** A container that every level allows. */
export const harmless = {
  name: "a",
  image: "example.com/a",
  securityContext: {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  },
} satisfies Fields;
export const container = (context: Fields, more: Fields = {}): Fields => ({
  ...harmless,
  ...more,
  securityContext: { ...harmless.securityContext, ...context },
});
/** A pod that nobody schedules. */
export const pod = (spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", ...metadata },
  spec: { schedulerName: "nobody", containers: [harmless], ...spec },
});
/** Pods that one check is about: whether level baseline and level restricted allow each. */
export const checkedPods: Record<string, readonly [body: Json, baseline: 201 | 403, restricted: 201 | 403][]> = {
  harmless: [[pod({}), 201, 201]],
  silent: [
    [pod({ containers: [{ name: "a", image: "example.com/a" }], initContainers: [{ name: "i", image: "example.com/i" }] }), 201, 403],
  ],
  privileged: [
    [pod({ containers: [container({ privileged: true, allowPrivilegeEscalation: true })] }), 403, 403],
    [
      pod({
        initContainers: [container({ privileged: true, allowPrivilegeEscalation: true }, { name: "b" })],
        containers: [container({ privileged: true, allowPrivilegeEscalation: true })],
      }),
      403,
      403,
    ],
  ],
  "host-namespaces": [[pod({ hostNetwork: true, hostPID: true, hostIPC: true }), 403, 403]],
  "host-ports": [
    [
      pod({
        containers: [
          {
            ...harmless,
            ports: [
              { containerPort: 80, hostPort: 8080 },
              { containerPort: 81, hostPort: 8081 },
            ],
          },
        ],
      }),
      403,
      403,
    ],
    [
      pod({
        containers: [
          { ...harmless, ports: [{ containerPort: 80, hostPort: 8080 }] },
          { ...harmless, name: "b", ports: [{ containerPort: 80, hostPort: 80 }] },
        ],
      }),
      403,
      403,
    ],
  ],
  volumes: [
    [
      pod({
        volumes: [
          { name: "h", hostPath: { path: "/" } },
          { name: "n", nfs: { server: "s", path: "/" } },
        ],
      }),
      403,
      403,
    ],
    [
      pod({
        volumes: [
          { name: "n", nfs: { server: "s", path: "/" } },
          { name: "e", emptyDir: {} },
        ],
      }),
      201,
      403,
    ],
  ],
  capabilities: [
    [pod({ containers: [container({ capabilities: { add: ["NET_RAW", "SYS_ADMIN"], drop: ["ALL"] } })] }), 403, 403],
    [pod({ containers: [container({ capabilities: { add: ["CHOWN", "NET_BIND_SERVICE"] } })] }), 201, 403],
    [pod({ containers: [container({ capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } })] }), 201, 201],
  ],
  "proc-mount": [[pod({ hostUsers: false, containers: [container({ procMount: "Unmasked" })] }), 201, 403]],
  selinux: [
    [
      pod({
        securityContext: { seLinuxOptions: { type: "odd_t", user: "u" } },
        containers: [container({ seLinuxOptions: { type: "other_t", role: "r" } })],
      }),
      403,
      403,
    ],
    [pod({ containers: [container({ seLinuxOptions: { type: "container_engine_t" } })] }), 201, 201],
  ],
  seccomp: [
    [
      pod({
        securityContext: { seccompProfile: { type: "Unconfined" } },
        containers: [container({ seccompProfile: { type: "Unconfined" } })],
      }),
      403,
      403,
    ],
    [pod({ containers: [container({ seccompProfile: { type: "Localhost", localhostProfile: "p" } })] }), 201, 201],
  ],
  sysctls: [
    [
      pod({
        securityContext: {
          sysctls: [
            { name: "kernel.msgmax", value: "1" },
            { name: "net.ipv4.tcp_rmem", value: "1" },
          ],
        },
      }),
      403,
      403,
    ],
  ],
  apparmor: [
    [
      pod({
        securityContext: { appArmorProfile: { type: "Unconfined" } },
        containers: [container({ appArmorProfile: { type: "Unconfined" } })],
      }),
      403,
      403,
    ],
  ],
  "run-as": [
    [pod({ containers: [container({ runAsUser: 0, runAsNonRoot: false })] }), 201, 403],
    [pod({ securityContext: { runAsNonRoot: false, runAsUser: 0 } }), 201, 403],
    [pod({ hostUsers: false, containers: [container({ runAsUser: 0, runAsNonRoot: false })] }), 201, 201],
  ],
  probes: [
    [
      pod({
        containers: [
          {
            ...harmless,
            livenessProbe: { httpGet: { port: 80, host: "example.com" } },
            lifecycle: { preStop: { httpGet: { port: 80, host: "example.org" } } },
          },
        ],
      }),
      403,
      403,
    ],
  ],
  windows: [
    [
      pod({
        os: { name: "windows" },
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true } },
        containers: [{ name: "a", image: "example.com/a" }],
      }),
      403,
      403,
    ],
    [
      pod({ os: { name: "windows" }, securityContext: { runAsNonRoot: true }, containers: [{ name: "a", image: "example.com/a" }] }),
      201,
      201,
    ],
  ],
};
