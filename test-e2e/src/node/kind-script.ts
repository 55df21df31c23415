import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goTool } from '../harness/go-tools.ts';
import { run } from '../harness/run.ts';
import type { Cluster } from './cluster.ts';

const script = join(import.meta.dirname, '../../../scripts/kind-e2e.sh');

/** What the script did. */
export interface KindRun {
  readonly output: string;
  /** Commands for docker and kind. */
  readonly asked: readonly string[];
}

/**
 * Runs scripts/kind-e2e.sh from its beginning to its end on a cluster that is there: in the place of docker and kind
 * are programs that write down what they are asked, and hand out that cluster's kubeconfig.
 */
export async function runKindScript(cluster: Cluster, namespace: string): Promise<KindRun> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-kind-'));
  const asked = join(folder, 'asked');
  try {
    symlinkSync(await goTool('helm3'), join(folder, 'helm'));
    symlinkSync(await goTool('kubectl'), join(folder, 'kubectl'));
    symlinkSync(process.execPath, join(folder, 'node'));
    for (const program of ['docker', 'kind']) {
      const file = join(folder, program);
      writeFileSync(
        file,
        [
          '#!/bin/sh',
          `echo "${program} $*" >>"$ASKED"`,
          // kind create cluster … --kubeconfig FILE
          'while [ $# -gt 1 ]; do [ "$1" = --kubeconfig ] && cp "$THERE" "$2"; shift; done',
          'exit 0',
          '',
        ].join('\n'),
      );
      chmodSync(file, 0o755);
    }
    writeFileSync(asked, '');
    const output = await run('bash', [script], {
      timeoutMs: 600_000,
      env: {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        TMPDIR: folder,
        ASKED: asked,
        THERE: cluster.chain.kubeconfig,
        NAMESPACE: namespace,
        HELM_FLAGS: '--set store.embedded.persistence.enabled=false',
        HELM_CACHE_HOME: folder,
        HELM_CONFIG_HOME: folder,
        HELM_DATA_HOME: folder,
      },
    });
    return { output, asked: readFileSync(asked, 'utf8').trim().split('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
