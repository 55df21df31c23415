import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { latencyBoundsMs } from '@kubechain/apiserver/observe';
import manifest from '../../package.json' with { type: 'json' };
import type { Chain } from '../chain/chain.ts';
import type { ChainOptions } from '../chain/chain-options.ts';
import { observeAddress } from '../chain/observe-address.ts';
import { SERVER_NAMES } from '../chain/server-process.ts';
import { controlAddress } from '../control/control-address.ts';
import { socketAddress } from '../data-dir/data-dir.ts';
import { ChainClient, healthOf, healthOverSocket } from './chain-client.ts';
import { RememberedHealth } from './remembered-health.ts';
import { ChainFeed } from './chain-feed.ts';
import type { ProcessHealth, ProcessState } from './feed-messages.ts';
import { pageFiles } from './page-files.ts';
import { PageServer } from './page-server.ts';
import { processRecord } from './process-record.ts';

/** The page of a running chain. */
export interface OpenedPage {
  /** With the token that lets people in. */
  readonly url: string;
  close(): void;
}

const unasked: ProcessHealth = { kind: 'unasked', problems: [], checks: 0 };

/** Serves the page of a chain that runs with the control API. @throws LaunchError when the port is taken */
export async function openPage(chain: Chain & { readonly url: string }, options: ChainOptions): Promise<OpenedPage> {
  const { dir, kubeconfig, url } = chain;
  const { topology = 'chain', dataDir, ui = 0 } = options;
  const client = new ChainClient(url, readFileSync(join(dir.pki, 'ca.crt'), 'utf8'), {
    cert: readFileSync(join(dir.pki, 'admin.crt'), 'utf8'),
    key: readFileSync(join(dir.pki, 'admin.key'), 'utf8'),
  });
  const first = topology === 'chain' ? SERVER_NAMES[0] : topology;
  const servers = topology === 'chain' ? SERVER_NAMES : [topology];
  const health = async (name: string): Promise<ProcessHealth> => {
    if (name === first) return healthOf(client.get('/readyz?verbose'));
    if (!SERVER_NAMES.some((known) => known === name)) return unasked;
    return healthOverSocket(pathOf(socketAddress(dir, name)));
  };
  const healths = new RememberedHealth(health);
  const look = (): Promise<readonly ProcessState[]> =>
    Promise.all(
      [...chain.pids()].map(async ([name, pid]) => ({
        name,
        ...(pid === undefined ? {} : { pid, ...processRecord(pid) }),
        health: await healths.of(name),
      })),
    );
  const server = new PageServer({
    facts: { url, kubeconfig, topology, servers, version: manifest.version, latencyBoundsMs },
    feed: new ChainFeed({
      sockets: new Map(servers.map((name) => [name, pathOf(observeAddress(dir, name))])),
      look,
    }),
    client,
    files: pageFiles,
    controlSocket: pathOf(controlAddress(dataDir)),
  });
  return {
    url: await server.listen(ui),
    close: () => {
      server.close();
    },
  };
}

function pathOf(address: string): string {
  return address.slice('unix:'.length);
}
