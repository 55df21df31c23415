import { startTestEnvironment } from '../testing/start-test-environment.ts';
import { ChildCommand, type CommandLine } from './child-command.ts';

/** What a command is run with. */
export interface RunOptions {
  readonly command: CommandLine;
  readonly flags: readonly string[];
  readonly controllers: readonly string[] | undefined;
  readonly crds: readonly string[];
}

/**
 * Runs a command with a fresh API server and KUBECONFIG set, and resolves to its exit code (128 and the signal's number
 * when one ended it), after everything has been removed.
 */
export async function run({ command, controllers, crds, flags }: RunOptions): Promise<number> {
  const child = new ChildCommand();
  await using env = await startTestEnvironment({
    flags,
    crds,
    serviceAccountAdmission: controllers !== undefined,
    topology: 'processes',
    ...(controllers === undefined ? {} : { controllers }),
  });
  return await child.run(command, { KUBECONFIG: env.kubeconfig });
}
