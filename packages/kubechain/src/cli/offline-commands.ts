import { Option, type Command } from 'commander';
import type { ReportFormat } from '../offline/report.ts';
import { collect, outputOf } from './common-options.ts';

/** Commands that judge files, without a chain that runs. */
export function addOfflineCommands(program: Command, exit: (code: number) => void): void {
  addValidate(program, exit);
  addDiff(program, exit);
  addCanI(program, exit);
}

interface ValidateFlags {
  readonly namespace: string;
  readonly podSecurity?: string;
  readonly ignoreMissing?: boolean;
  readonly failOnWarnings?: boolean;
  readonly kubernetesVersion?: string;
  readonly flag: readonly string[];
  readonly output: ReportFormat;
}

function addValidate(program: Command, exit: (code: number) => void): void {
  program
    .command('validate')
    .description('let the servers judge the objects of files, folders or standard input; exit code 1 when one is wrong')
    .argument('<path...>', 'files, folders, kustomizations, charts, or - for standard input')
    .option('-n, --namespace <name>', 'of objects that name none', 'default')
    .addOption(
      new Option('--pod-security <standard>', 'that namespaces enforce which do not say').choices([
        'baseline',
        'restricted',
      ]),
    )
    .option('--ignore-missing', 'leave out kinds that neither Kubernetes nor a CRD among the files has')
    .option('--fail-on-warnings', 'exit with 1 for warnings, too')
    .option('--kubernetes-version <release>', 'whose rules and deprecations: 1.33 to 1.37 (default: 1.36)')
    .option('--flag <flag>', 'of kube-apiserver; may be repeated', collect, [])
    .addOption(
      new Option('--output <format>', 'of what was found').choices(['text', 'json', 'sarif', 'junit']).default('text'),
    )
    .action(async (paths: readonly string[], options: ValidateFlags) => {
      const { validateCommand } = await import('./validate.ts');
      const { failOnWarnings = false, flag, ignoreMissing = false, namespace, output, podSecurity } = options;
      const { kubernetesVersion: release } = options;
      const how = {
        paths,
        flags: flag,
        ...(release === undefined ? {} : { release }),
        format: output,
        ignoreMissing,
        failOnWarnings,
        namespace,
      };
      exit(
        await validateCommand({
          ...how,
          ...(podSecurity === undefined ? {} : { podSecurity }),
          stdin: process.stdin,
          write: (text) => void process.stdout.write(text),
        }),
      );
    });
}

interface DiffFlags {
  readonly to: string;
  readonly failOnWarnings?: boolean;
  readonly output: ReportFormat;
}

function addDiff(program: Command, exit: (code: number) => void): void {
  program
    .command('diff')
    .description('tell what another release of Kubernetes lacks or warns about; exit code 1 when it lacks something')
    .argument('<path...>', 'files, folders, or - for standard input')
    .requiredOption('--to <release>', 'of Kubernetes: 1.38')
    .option('--fail-on-warnings', 'exit with 1 for warnings, too')
    .addOption(
      new Option('--output <format>', 'of what was found').choices(['text', 'json', 'sarif', 'junit']).default('text'),
    )
    .action(async (paths: readonly string[], { failOnWarnings = false, output, to }: DiffFlags) => {
      const { diffCommand } = await import('./diff.ts');
      const write = (text: string): void => void process.stdout.write(text);
      exit(await diffCommand({ paths, to, format: output, failOnWarnings, stdin: process.stdin, write }));
    });
}

interface CanIFlags {
  readonly filename: readonly string[];
  readonly as: string;
  readonly asGroup: readonly string[];
  readonly namespace: string;
  readonly output?: string;
}

function addCanI(program: Command, exit: (code: number) => void): void {
  program
    .command('can-i')
    .description('tell what somebody may do by the roles and bindings of files; exit code 1 for no')
    .argument('<verb>')
    .argument('<resource>', 'pods, deploy, deployments.apps/status, or a path: /metrics')
    .argument('[name]')
    .requiredOption('-f, --filename <path>', 'files, folders, or -; may be repeated', collect, [])
    .requiredOption('--as <user>', 'or system:serviceaccount:NAMESPACE:NAME')
    .option('--as-group <group>', 'may be repeated', collect, [])
    .option('-n, --namespace <name>', 'where', 'default')
    .addOption(new Option('--output <format>', 'for programs').choices(['text', 'json']))
    .action(async (verb: string, resource: string, name: string | undefined, options: CanIFlags) => {
      const { canICommand } = await import('./can-i.ts');
      const { as: user, asGroup: groups, filename, namespace } = options;
      const question = { verb, resource, name, namespace, user, groups };
      exit(await canICommand(question, { files: filename, output: outputOf(options), stdin: process.stdin }));
    });
}
