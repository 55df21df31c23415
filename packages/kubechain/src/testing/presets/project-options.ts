import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEnvironmentOptions } from '../test-environment.ts';

/** What environments of presets are started with: what package.json says under `kubechain.testEnvironment`. */
export function optionsOfProject(): TestEnvironmentOptions {
  const file = join(process.cwd(), 'package.json');
  try {
    const { kubechain } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly kubechain?: { readonly testEnvironment?: TestEnvironmentOptions };
    };
    return kubechain?.testEnvironment ?? {};
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
