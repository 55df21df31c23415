/** The program `etcd` of setup-envtest's folder. */
import { mkdirSync } from 'node:fs';
import { LaunchError } from '../launch-error.ts';
import { ETCD_HELP, readEtcdFlags } from './etcd-flags.ts';

/** The version whose API the embedded store has. */
const VERSION = '3.6.0';

try {
  const command = readEtcdFlags(process.argv.slice(2));
  if (command.kind === 'help') process.stdout.write(ETCD_HELP);
  else if (command.kind === 'version') process.stdout.write(`etcd Version: ${VERSION}\n`);
  else {
    mkdirSync(command.dataDir, { recursive: true, mode: 0o700 });
    const { main } = await import('@kubechain/embedded-etcd/main');
    await main(command.args);
  }
} catch (error) {
  process.stderr.write(`${error instanceof LaunchError ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
