import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execute, run, type Result, type RunOptions } from '../harness/run.ts';

/** A project of a user, in an empty folder outside of the checkout. */
export class UserProject implements Disposable {
  readonly folder: string;

  /** `manifest` is what package.json says besides the name. */
  constructor(manifest: object = {}, folder = mkdtempSync(join(tmpdir(), 'kubechain-user-'))) {
    this.folder = folder;
    this.write({ 'package.json': JSON.stringify({ name: 'user', private: true, ...manifest }) });
  }

  /** Paths of tarballs, and names of packages in the registry. */
  async install(...packages: readonly string[]): Promise<void> {
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: this.folder });
  }

  /** Texts by path. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const target = this.path(path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  /** Runs a program in the folder, whatever its exit code; rejects when it does not end within two minutes. */
  execute(command: string, args: readonly string[], options: RunOptions = {}): Promise<Result> {
    return execute(command, args, { cwd: this.folder, timeoutMs: 120_000, ...options });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}
