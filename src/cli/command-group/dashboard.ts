import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseDurationFlag, parseHosts, parseListenAddress, parsePort } from "../parse-argument.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the command that serves the dashboard. */
export function addDashboardCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareDashboard(program).action((options) =>
    runCommand(async (signal) => (await import("../command/dashboard.ts")).dashboard(options, terminal, signal)),
  );
}

export type DashboardFlags = OptionsOf<typeof declareDashboard>;

function declareDashboard(program: Command) {
  return new TypedCommand(program.command("dashboard"))
    .description("show releases, fleets and events on a page, live, until Ctrl-C")
    .option("--kubeconfig <file>", "the kubeconfig (default: KUBECONFIG, then ~/.kube/config, then the pod this runs in)")
    .option("--context <name>", "the context to look at first (default: the current one)")
    .addOption(typedOption("--port <port>", "the port to listen on").argParser(parsePort).default(0, "any that is free"))
    .option("--open", "open it in the browser")
    .addOption(
      typedOption("--sign-in <with>", "by the printed address, with your rights, or each visitor with a bearer token and its rights")
        .choices(["code", "token"])
        .default("code"),
    )
    .addOption(
      typedOption("--address <address>", "with --sign-in token: where to listen, such as :8443")
        .argParser(parseListenAddress)
        .absent("loopback, --port"),
    )
    .addOption(
      typedOption("--hosts <list>", "with --sign-in token: the names that visitors call it by, with commas between")
        .argParser(parseHosts)
        .absent("localhost"),
    )
    .option("--tls-cert <file>", "with --sign-in token: the certificate to serve TLS with; read again when it changes")
    .option("--tls-key <file>", "its key")
    .option("--server <url>", "with --sign-in token: the API server (default: that of the context, or of the cluster that this runs in)")
    .option("--certificate-authority <file>", "the authority of the API server's certificate")
    .addOption(
      typedOption("--session-length <duration>", "with --sign-in token: how long a session lasts, if its token does")
        .argParser(parseDurationFlag)
        .default(12 * 3_600_000, "12h"),
    );
}
