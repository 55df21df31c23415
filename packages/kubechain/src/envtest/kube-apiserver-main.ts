/**
 * The program `kube-apiserver` of setup-envtest's folder: the three servers in one process, over the etcd it is
 * given.
 */
import { messageOf } from '@kubechain/apimachinery';
import { setTimeout as delay } from 'node:timers/promises';
import { helpText } from '@kubechain/apiserver/options';
import type { AllInOne } from '../all-in-one/start.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { KUBERNETES_VERSION } from './version.ts';

/** Envtest waits longer, but nobody likes to. */
const STOP_MS = 900;

const args = process.argv.slice(2);
if (args.some((argument) => argument === '--help' || argument === '-h')) {
  const { flagSets } = await import('@kubechain/kube-apiserver/flags');
  process.stdout.write(helpText('kube-apiserver', 'Serves the API of Kubernetes over etcd.', { sets: flagSets }));
} else if (args.some((argument) => argument === '--version' || argument === '--version=true')) {
  process.stdout.write(`Kubernetes v${KUBERNETES_VERSION}\n`);
} else await serve();

async function serve(): Promise<void> {
  let asked = false;
  let cluster: AllInOne | undefined;
  const stop = (): void => {
    if (asked) process.exit(1);
    asked = true;
    void (async () => {
      await Promise.race([cluster?.close(), delay(STOP_MS)]);
      process.exit(0);
    })();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  try {
    const { startAllInOne } = await import('../all-in-one/start.ts');
    const { EventLoopWatchdog } = await import('@kubechain/apiserver/watchdog');
    cluster = await startAllInOne(
      {
        dataDir: temporaryFolder(),
        memory: true,
        flags: [...(await servingFlags()), ...args],
        securePort: Number(valueOf('secure-port') ?? 6443),
        onLog: (line) => void process.stderr.write(line),
      },
      { watchdog: (endAfterMs) => new EventLoopWatchdog({ endAfterMs }) },
    );
    process.stdout.write(`serving on ${cluster.url}\n`);
    await cluster.ended;
  } catch (error) {
    if (asked) return;
    process.stderr.write(`Error: ${messageOf(error)}\n`);
    process.exit(1);
  }
}

/** The serving certificate in --cert-dir, made where none lies there, as by the reference (envtest puts one there). */
async function servingFlags(): Promise<string[]> {
  const directory = valueOf('cert-dir');
  if (directory === undefined || valueOf('tls-cert-file') !== undefined) return [];
  const { selfSignedCertificate } = await import('@kubechain/apiserver/certificates');
  const { certFile, keyFile } = await selfSignedCertificate({ directory, address: valueOf('bind-address') ?? '' });
  return [`--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`];
}

function valueOf(flag: string): string | undefined {
  const index = args.findLastIndex((argument) => argument.split('=', 1)[0]!.replaceAll('_', '-') === `--${flag}`);
  const found = args[index];
  if (found === undefined) return undefined;
  return found.includes('=') ? found.slice(found.indexOf('=') + 1) : args[index + 1];
}
