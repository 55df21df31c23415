/** Runs a chain of fakes until it is killed, so that a spec can see what becomes of its children. */
import { startChain } from '../chain/chain.ts';
import { fakeServers } from './fake-servers.ts';

const dataDir = process.argv[2]!;
const chain = await startChain(
  { dataDir, securePort: 1, securePortGiven: true, serverFlags: [] },
  { servers: fakeServers(dataDir), nowMs: Date.now() },
);
process.stdout.write(`${JSON.stringify([...chain.pids().values()])}\n`);
setInterval(() => undefined, 60_000);
