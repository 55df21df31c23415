import { execFile } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const binary = join(root, 'node_modules/.cache/kubechain/etcd-from-modules');

let building: Promise<string> | undefined;

/**
 * Builds etcd of the release that test-e2e/etcd/go.mod names, for what distributions' older ones cannot show (they
 * cannot be trusted with progress requests). Resolves to the program's path; Go builds only what has changed.
 *
 * @throws Error when there is no Go, or the build fails
 */
export function buildEtcd(): Promise<string> {
  building ??= new Promise((resolve, reject) => {
    execFile('go', ['build', '-o', binary, '.'], { cwd: join(root, 'test-e2e/etcd') }, (error, stdout, stderr) => {
      if (error === null) resolve(binary);
      else reject(new Error(error.code === 'ENOENT' ? 'go is not installed' : `etcd could not be built:\n${stdout}${stderr}`));
    });
  });
  return building;
}
