import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that goes with the scope that holds it. */
export class TemporaryDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'embedded-etcd-'));

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
