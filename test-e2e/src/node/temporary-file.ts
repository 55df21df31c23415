import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with one file, for programs that read their configuration from one. */
export function temporaryFile(name: string, text: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-file-'));
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return {
    path: join(folder, name),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
