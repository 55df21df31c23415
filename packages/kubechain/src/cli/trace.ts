import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { observeAddress } from '../chain/observe-address.ts';
import { SERVER_NAMES } from '../chain/server-process.ts';
import { LaunchError } from '../launch-error.ts';
import { writePrivateFile } from '../pki/key-pair-files.ts';
import { FollowedRequests, type RequestParts } from '../trace/followed-requests.ts';
import { Tunnel } from '../trace/tunnel.ts';
import { waterfallText } from '../trace/waterfall-text.ts';
import { ChildCommand, type CommandLine } from './child-command.ts';
import type { Output } from './output.ts';
import { lookAtChain, type RunningChain } from './running-chain.ts';

/** What is traced, and how it is told. */
export interface TraceOptions {
  readonly dataDir: string;
  /** Steps that took less are left out. */
  readonly shortestMs: number;
  /** Where the waterfalls go: beside what the command prints. */
  readonly output: Output;
  readonly columns: number;
}

/** Runs a command, and tells where the time of each of its requests went. @returns its exit code */
export async function traceCommand(command: CommandLine, options: TraceOptions): Promise<number> {
  const child = new ChildCommand();
  const chain = await running(options.dataDir);
  const requests = await follow(chain);
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-trace-'));
  const tunnel = new Tunnel(new URL(chain.url));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    writePrivateFile(kubeconfig, throughProxy(readFileSync(chain.dir.kubeconfig, 'utf8'), await tunnel.listen()));
    const code = await child.run(command, { KUBECONFIG: kubeconfig });
    await requests.settled();
    const { connections } = tunnel;
    tell(
      requests.those(({ client }) => connections.has(client)),
      options,
    );
    return code;
  } finally {
    tunnel.close();
    requests.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for the request with an audit id, and tells of it. */
export async function traceRequest(auditID: string, options: TraceOptions): Promise<number> {
  const requests = await follow(await running(options.dataDir));
  try {
    await requests.heard(auditID);
    await requests.settled();
    tell(
      requests.those((message) => message.auditID === auditID),
      options,
    );
    return 0;
  } finally {
    requests.close();
  }
}

const servers: readonly string[] = [...SERVER_NAMES, 'all-in-one'];

async function running(dataDir: string): Promise<RunningChain & { readonly url: string }> {
  const chain = await lookAtChain(dataDir);
  const { pid, url } = chain;
  if (pid === undefined || url === undefined)
    throw new LaunchError('Process', `no chain runs in ${chain.dir.root}: start one with kubechain up --ui`);
  return { ...chain, url };
}

async function follow({ dir }: RunningChain): Promise<FollowedRequests> {
  const sockets = servers
    .map((name) => [name, observeAddress(dir, name).slice('unix:'.length)] as const)
    .filter(([, path]) => existsSync(path));
  const requests = new FollowedRequests(new Map(sockets));
  if (sockets.length > 0 && (await requests.open())) return requests;
  requests.close();
  throw new LaunchError('Process', `the chain in ${dir.root} does not tell of its requests: start it with --ui`);
}

/** A kubeconfig whose clients go through a proxy. */
function throughProxy(kubeconfig: string, proxy: string): string {
  const config = parse(kubeconfig) as { clusters: { cluster: Record<string, unknown> }[] };
  for (const { cluster } of config.clusters) cluster['proxy-url'] = proxy;
  return stringify(config);
}

function tell(requests: readonly RequestParts[], { columns, output, shortestMs }: TraceOptions): void {
  output.result(
    requests.map((parts) => Object.fromEntries(parts)),
    () =>
      requests.length === 0
        ? ['no request came by KUBECONFIG and the proxy-url in it']
        : requests.flatMap((parts) => [
            '',
            ...waterfallText(parts, servers, {
              columns,
              shortestMs,
              colour: (colour, text) => output.colour(colour, text),
            }),
          ]),
  );
}
