import { freePort } from '@kubechain/shared-storage/testing';
import { join } from 'node:path';
import { goTool } from '../harness/go-tools.ts';
import { startProgram, type Program } from '../harness/program.ts';
import type { ControlPlane } from './kube-apiserver.ts';

/** Nobody else wants to lead; who leads ends where a busy machine does not let it renew its lease in ten seconds. */
const LONERS = ['--leader-elect=false'];

/** kube-controller-manager and kube-scheduler beside a chain. */
export interface UpstreamControllers {
  stop(): Promise<void>;
}

/** Starts both; resolves when they serve. */
export async function startUpstreamControllers(
  { dataDir, kubeconfig }: Pick<ControlPlane, 'dataDir' | 'kubeconfig'>,
  flags: readonly string[],
): Promise<UpstreamControllers> {
  const pki = (file: string): string => join(dataDir, 'pki', file);
  const programs: Program[] = [];
  const start = async (name: 'kube-controller-manager' | 'kube-scheduler', own: readonly string[]): Promise<void> => {
    const port = await freePort();
    programs.push(
      await startProgram(
        await goTool(name),
        [`--kubeconfig=${kubeconfig}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, ...LONERS, ...own],
        { ready: /Serving securely/ },
      ),
    );
  };
  try {
    await start('kube-controller-manager', [
      '--controllers=*,bootstrap-signer-controller,token-cleaner-controller',
      '--use-service-account-credentials',
      `--service-account-private-key-file=${pki('sa.key')}`,
      `--root-ca-file=${pki('ca.crt')}`,
      `--cluster-signing-cert-file=${pki('ca.crt')}`,
      `--cluster-signing-key-file=${pki('ca.key')}`,
      ...flags,
    ]);
    await start('kube-scheduler', []);
  } catch (error) {
    for (const program of programs) await program.stop();
    throw error;
  }
  return {
    async stop() {
      for (const program of programs) await program.stop();
    },
  };
}
