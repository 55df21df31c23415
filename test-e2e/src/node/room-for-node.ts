// Asks whether a real node may be started on this machine: root, namespaces, mounts, wires between networks, rules and
// control groups. Exit status: 0 when it may, 69 when the machine does not let it, 1 when programs are missing.
import { messageOf } from '@kubechain/apimachinery';
import { CANNOT } from '../ci/job.ts';
import { Machine } from './machine.ts';
import { checkPrograms } from './programs.ts';

async function makeRoom(): Promise<void> {
  const machine = await Machine.start('room');
  try {
    await machine.ok('iptables', '--wait', '--table', 'nat', '--list-rules');
    await machine.ok('mount', '-t', 'tmpfs', 'room', '/mnt');
  } finally {
    await machine.stop();
  }
}

const isRoot = process.getuid?.() === 0;
// What is missing is a failure, and is told with its packages.
if (isRoot) checkPrograms();
try {
  if (!isRoot) throw new Error('a real node needs root');
  await makeRoom();
  console.log('a real node may be started here');
} catch (error) {
  console.error(`no real node may be started here: ${messageOf(error)}`);
  process.exitCode = CANNOT;
}
