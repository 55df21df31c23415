import { freePort } from '@kubechain/shared-storage/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { routeOf, type Place, type Route } from './route.ts';
import { SteppingDebugger } from './stepping-debugger.ts';
import type { Way } from './ways.ts';

const packages = `${join(import.meta.dirname, '../../../packages')}/`;
/** What is below: Node, gRPC, apimachinery; and beside the way: metrics, logs, admission plugins, code of schemas. */
const over = [
  '^node:',
  'node_modules',
  '/apimachinery/',
  '/etcd-client/',
  '/metrics/',
  '-metrics.ts',
  '-metric-set.ts',
  '/logging/',
  '/admission/[a-z]',
  '/cel/',
];
/** Until nothing of what was prepared is under way any more. */
const quietMs = 2_000;

/**
 * Steps a debugger through a running chain while something goes its way, up to `tries` times until it is no longer than
 * the way may be; the shortest. What falls in between on a busy machine makes a way longer, and nothing makes it
 * shorter but another request that the debugger has followed instead, which does not come to the end of the way.
 * @throws RangeError when it has never come to its end
 */
export async function walk(way: Way, { tries = 1 }: { readonly tries?: number } = {}): Promise<Route> {
  const line = breakpoint(way.from);
  const inspectPort = await freePort();
  const chain = await startChain({ flags: [`--inspect=${inspectPort}`, '--request-timeout=10m'] });
  const client = Client.fromKubeconfig(chain.kubeconfig);
  try {
    let shortest: Route | undefined;
    for (let round = 0; round < tries; round++) {
      const prepared = await way.prepare(client, round);
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      const stepping = await SteppingDebugger.attach(inspectPort + way.process, over);
      await stepping.breakAt(way.from.file, line);
      await way.go(client, prepared, round);
      stepping.close();
      const route = routeOf(stepping.steps.flatMap(below), way.until);
      if (!route.entries.some(({ file }) => way.through.test(file))) continue;
      if (shortest === undefined || route.returns < shortest.returns) shortest = route;
      if (shortest.files <= way.atMost.files && shortest.returns <= way.atMost.returns) break;
    }
    if (shortest === undefined) throw new RangeError(`no walk of ${tries} has passed ${String(way.through)}`);
    return shortest;
  } finally {
    client.close();
    await chain.stop();
  }
}

/** The line, from 1 on, after the one that begins with a text: a function's first. */
function breakpoint({ file, text }: Way['from']): number {
  const lines = readFileSync(join(packages, file), 'utf8').split('\n');
  const head = lines.findIndex((line) => line.startsWith(text));
  if (head < 0) throw new TypeError(`${file} has no line that begins with ${JSON.stringify(text)}`);
  // A list of parameters may go over several lines.
  return lines.findIndex((line, i) => i >= head && line.endsWith('{')) + 2;
}

function below(place: Place): Place[] {
  return place.file.startsWith(packages) ? [{ ...place, file: place.file.slice(packages.length) }] : [];
}
