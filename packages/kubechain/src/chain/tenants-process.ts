import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { socketAddress } from '../data-dir/data-dir.ts';
import { builtProgram } from '../programs/built-programs.ts';
import type { ChildCommand } from '../supervisor/child-command.ts';
import { commonFlags, kubeletClientFlags, kubernetesServicePort, type ServerPlan } from './chain-plan.ts';
import { flagsFor } from './route-flags.ts';
import { TENANTS_NAME, type KnownFlags, type ServerProcess } from './server-process.ts';

/** The program of the tenants: beside the servers that it has in one process, as a source or built. */
const tenantsMain =
  builtProgram(TENANTS_NAME) ??
  fileURLToPath(new URL(`../all-in-one/tenants-main${extname(import.meta.url)}`, import.meta.url));

/** What the process of the tenants logs like the servers. */
const ownFlags = ['v', 'vmodule', 'logging-format'];

/**
 * The command that runs the tenants of a chain of processes: one process for all of them, started when the first is
 * asked for, which the aggregator hands their requests to.
 *
 *     6443 ─► aggregator ─ /tenants/NAME/… ─ unix:tenants.sock ─► tenants: store and three servers for each
 */
export function tenantsCommand(
  plan: ServerPlan,
  { servers, url }: { readonly servers: readonly ServerProcess[]; readonly url: string },
): ChildCommand {
  const { dir, options, pki } = plan;
  const known: KnownFlags = new Map(servers.flatMap(({ flags }) => [...flags]));
  const defaults = new Map([
    ...commonFlags(pki, plan.etcdServers, plan.options.serverFlags),
    ...kubeletClientFlags(pki, options.serverFlags),
    ['kubernetes-service-port', String(kubernetesServicePort(options))],
  ]);
  const own = new Map([...known].filter(([name]) => ownFlags.includes(name)));
  return {
    name: TENANTS_NAME,
    main: tenantsMain,
    args: [
      `--tenants-listen=${socketAddress(dir, TENANTS_NAME)}`,
      `--tenants-folder=${join(dir.root, 'tenants')}`,
      `--tenants-url=${url}`,
      `--chain-flags=${JSON.stringify(flagsFor({ flags: known }, defaults, options.serverFlags))}`,
      ...flagsFor({ flags: own }, new Map(), options.serverFlags),
    ],
    logFile: join(dir.logs, `${TENANTS_NAME}.log`),
    pidFile: join(dir.run, `${TENANTS_NAME}.pid`),
    readiness: 'ipc',
  };
}
