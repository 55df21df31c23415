import { Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import type { ReportFormat } from '../offline/report.ts';
import { completionScript, SHELLS } from './completion.ts';
import { UP_FLAGS, UP_HELP } from './help.ts';
import { outputTo, type Output } from './output.ts';

interface Common {
  readonly dataDir: string;
  readonly output?: string;
}

const outputOf = ({ output }: Pick<Common, 'output'>): Output => outputTo(process.stdout, output === 'json');

/**
 * The command line. What a command needs is loaded when it runs, so that help and version are answered at once.
 * `exit` takes the exit code.
 */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('kubechain')
    .description('A Kubernetes API server as three chained processes')
    .version(`kubechain ${manifest.version}`, '-V, --version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(`kubechain: ${text.replace(/^error: /, '').replaceAll(/\n(?!$)/g, ' ')}`);
      },
    });
  addUp(program, exit);
  addDebug(program, exit);
  addRun(program, exit);
  addTrace(program, exit);
  const onDirectory = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--data-dir <dir>', 'of the chain', '.kubechain')
      .addOption(new Option('--output <format>', 'for programs').choices(['text', 'json']));
  onDirectory('status', 'tell what runs; exit code 0 when it is ready, 3 when not').action(async (options: Common) => {
    exit(await (await import('./status.ts')).status(options.dataDir, outputOf(options)));
  });
  program
    .command('logs')
    .description('print logs, of all processes or one')
    .argument('[server]', 'aggregator, kube-apiserver, apiextensions, controllers or etcd')
    .option('-f, --follow', 'go on with what is written')
    .option('--data-dir <dir>', 'of the chain', '.kubechain')
    .action(async (server: string | undefined, { dataDir, follow = false }: { dataDir: string; follow?: boolean }) => {
      const write = (text: string): void => void process.stdout.write(text);
      exit(await (await import('./logs.ts')).logs({ dataDir, follow, server, write }));
    });
  onDirectory('down', 'end the chain').action(async (options: Common) => {
    exit(await (await import('./down.ts')).down(options.dataDir, outputOf(options)));
  });
  onDirectory('reset', 'end the chain and delete its objects and logs')
    .option('--all', 'certificates and kubeconfig too')
    .action(async ({ all = false, ...options }: Common & { readonly all?: boolean }) => {
      exit(await (await import('./down.ts')).reset(options.dataDir, { all, output: outputOf(options) }));
    });
  onDirectory('kubeconfig', 'print the kubeconfig')
    .option('--merge', "put it into your own (KUBECONFIG or ~/.kube/config), as the context 'kubechain'")
    .action(async ({ merge = false, ...options }: Common & { readonly merge?: boolean }) => {
      const { kubeconfig, mergeKubeconfig } = await import('./kubeconfig.ts');
      exit((merge ? mergeKubeconfig : kubeconfig)(options.dataDir, outputOf(options)));
    });
  onDirectory('doctor', 'look for what would keep a chain from running here')
    .option('--secure-port <port>', 'that it is to have', '6443')
    .action(async ({ securePort, ...options }: Common & { readonly securePort: string }) => {
      const { doctor } = await import('./doctor.ts');
      exit(await doctor({ dataDir: options.dataDir, output: outputOf(options), port: Number(securePort) }));
    });
  program
    .command('flags')
    .description('tell the flags of the servers: their topics, those of one topic, or one flag')
    .argument('[topic]', 'e.g. authentication, or the name of a flag, e.g. --authorization-mode')
    // What is asked for may begin with dashes.
    .allowUnknownOption()
    .action(async (_topic: string | undefined, _options: unknown, { args }: Command) => {
      const { flags } = await import('./flags.ts');
      exit(await flags(args[0], { columns: process.stdout.columns, output: outputTo(process.stdout, false) }));
    });
  addControl(onDirectory, exit);
  addOffline(program, exit);
  addSetupEnvtest(program, exit);
  program
    .command('completion')
    .description(`print the script of completion for ${SHELLS.join(', ')}`)
    .argument('<shell>')
    .action((shell: string) => {
      const commands = program.commands.map((command) => ({
        name: command.name(),
        description: command.description(),
      }));
      process.stdout.write(completionScript(shell, commands, UP_FLAGS));
    });
  program
    .command('version')
    .description('print the version')
    .action(() => {
      process.stdout.write(`kubechain ${manifest.version}\n`);
    });
  return program;
}

/** Its flags are those of the servers too, so that they are read apart. */
function addUp(program: Command, exit: (code: number) => void): void {
  program
    .command('up')
    .description('run store and servers until Ctrl-C')
    .usage('[flags]')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', UP_HELP)
    .configureHelp({ visibleArguments: () => [], visibleOptions: () => [] })
    .action(async (flags: readonly string[]) => {
      exit(await (await import('./up.ts')).up(flags));
    });
}

function addDebug(program: Command, exit: (code: number) => void): void {
  program
    .command('debug')
    .description('run the chain with an inspector for one process, and the others patient')
    .usage("NAME [--break-on 'create deployments.apps'] [--inspect PORT] [flags of up]")
    .argument('<name>', 'aggregator, kube-apiserver, apiextensions or store')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .configureHelp({ visibleOptions: () => [] })
    .action(async (name: string, flags: readonly string[]) => {
      exit(await (await import('./up.ts')).up([`--debug=${name}`, ...flags]));
    });
}

function addRun(program: Command, exit: (code: number) => void): void {
  const collect = (value: string, before: readonly string[]): string[] => [...before, value];
  program
    .command('run')
    .description('run a command with a fresh API server and KUBECONFIG set; its exit code is the command’s')
    .usage('[options] -- COMMAND [ARGS]')
    .argument('<command...>')
    .passThroughOptions()
    .option('--crds <path>', 'install these first (a file or folder); may be repeated', collect, [])
    .option('--controllers <list>', 'controllers that run, as of up (default: none)')
    .option('--flag <flag>', 'of kube-apiserver, e.g. --flag=--feature-gates=X=true; may be repeated', collect, [])
    .action(
      async (
        [name = '', ...args]: readonly string[],
        { controllers, crds, flag }: { controllers?: string; crds: string[]; flag: string[] },
      ) => {
        const { run } = await import('./run.ts');
        exit(await run({ command: [name, ...args], flags: flag, crds, controllers: controllers?.split(',') }));
      },
    );
}

function addTrace(program: Command, exit: (code: number) => void): void {
  interface TraceFlags extends Common {
    readonly all?: boolean;
  }
  program
    .command('trace')
    .description('run a command and draw where the time of its requests went; its exit code is the command’s')
    .usage('[options] -- COMMAND [ARGS], or [options] AUDIT-ID to wait for one request')
    .argument('<command...>')
    .passThroughOptions()
    .option('--data-dir <dir>', 'of a chain that runs with --ui', '.kubechain')
    .option('--all', 'show steps of less than 0.1 ms, too')
    .addOption(new Option('--output <format>', 'for programs').choices(['text', 'json']))
    .action(async ([name = '', ...args]: readonly string[], { all = false, dataDir, output }: TraceFlags) => {
      const { traceCommand, traceRequest } = await import('./trace.ts');
      const how = { dataDir, shortestMs: all ? 0 : 0.1 };
      const to = (stream: NodeJS.WriteStream): { readonly output: Output; readonly columns: number } => ({
        output: outputTo(stream, output === 'json'),
        columns: stream.columns ?? 100,
      });
      // The command's own output may go into a pipe.
      if (args.length === 0 && isAuditID(name)) exit(await traceRequest(name, { ...how, ...to(process.stdout) }));
      else exit(await traceCommand([name, ...args], { ...how, ...to(process.stderr) }));
    });
}

/** A UID, which servers and clients make audit ids of, and nobody names a program by. */
function isAuditID(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

interface FaultFlags extends Common {
  readonly filename?: string;
  readonly seed?: string;
  readonly probability?: string;
}

/** Commands of the control API: of chains that were started with --control. */
function addControl(onDirectory: (name: string, description: string) => Command, exit: (code: number) => void): void {
  onDirectory('snapshot', 'save the whole state and put it back: save, restore, reset, list, delete, write or load')
    .argument('<action>', 'save NAME, restore NAME, reset, list, delete NAME, write NAME FILE, load FILE')
    .argument('[name]')
    .argument('[file]')
    .action(async (action: string, name: string | undefined, file: string | undefined, options: Common) => {
      const { snapshot } = await import('./control.ts');
      exit(await snapshot(options.dataDir, { action, name, file }, outputOf(options)));
    });
  onDirectory('fault', 'let requests meet faults: add, apply, chaos, list, delete, end, clear or expire-watches')
    .argument(
      '<action>',
      'add RULE (JSON, or @FILE), apply -f FILE, chaos, list, delete ID, end ID, clear, expire-watches',
    )
    .argument('[rule]')
    .option('-f, --filename <file>', 'apply: the scenario, YAML; - for standard input')
    .option('--seed <number>', 'apply, chaos: makes the choices of the run that had it (default: drawn, and printed)')
    .option('--probability <number>', 'chaos: of all requests, 0 to 1 (default: 0.1)')
    .action(async (action: string, rule: string | undefined, options: FaultFlags) => {
      const { fault } = await import('./control.ts');
      const { filename: file, probability, seed } = options;
      exit(await fault(options.dataDir, { action, rule, file, seed, probability }, outputOf(options)));
    });
  onDirectory(
    'tenant',
    'chains of their own on the port of a chain that serves the control API: create, list or delete',
  )
    .argument('<action>', 'create NAME, list, delete NAME')
    .argument('[name]')
    .action(async (action: string, name: string | undefined, options: Common) => {
      const { tenant } = await import('./control.ts');
      exit(await tenant(options.dataDir, { action, name }, outputOf(options)));
    });
  onDirectory('clock', 'tell or move the time of a chain: show, advance, set, freeze, resume or reset')
    .argument('[action]', 'show, advance DURATION (1h30m), set TIME (RFC 3339), freeze, resume, reset', 'show')
    .argument('[argument]')
    .action(async (action: string, argument: string | undefined, options: Common) => {
      const { clock } = await import('./control.ts');
      exit(await clock(options.dataDir, { action, argument }, outputOf(options)));
    });
  const collect = (value: string, before: readonly string[]): string[] => [...before, value];
  onDirectory('journal', 'print what was asked, and what came of it')
    .option('--verb <verb>', 'may be repeated', collect, [])
    .option('--resource <resource>', 'pods, deployments.apps/status; may be repeated', collect, [])
    .option('--user <name>', 'may be repeated', collect, [])
    .option('--namespace <name>', 'may be repeated', collect, [])
    .option('--since <id>', 'after this entry')
    .option('--write <file>', 'write an HTTP archive (.har) or JSON lines (.jsonl) instead')
    .option('--bodies', 'with the bodies that were recorded')
    .option(
      '--compare <file>',
      'tell how the writes differ from those of a journal in JSON lines; exit code 1 if they do',
    )
    .option(
      '--replay <file>',
      'send the requests of such a file (.jsonl, with bodies) to this chain, and tell what it answers otherwise',
    )
    .addOption(
      new Option('--record-bodies <what>', 'record bodies from now on, or no longer').choices(['on', 'secrets', 'off']),
    )
    .action(
      async ({
        bodies,
        compare,
        recordBodies,
        replay: replayed,
        since,
        write,
        ...options
      }: Common &
        Record<'verb' | 'resource' | 'user' | 'namespace', string[]> & {
          bodies?: boolean;
          compare?: string;
          recordBodies?: 'off' | 'on' | 'secrets';
          replay?: string;
          since?: string;
          write?: string;
        }) => {
        if (replayed !== undefined) {
          const { replay } = await import('./replay.ts');
          exit(await replay(options.dataDir, replayed, outputOf(options)));
          return;
        }
        const { compareJournal, journal, journalTarget, recordBodies: record } = await import('./control.ts');
        if (recordBodies !== undefined) {
          exit(await record(options.dataDir, recordBodies, outputOf(options)));
          return;
        }
        const { namespace, resource, user, verb } = options;
        const lists = Object.entries({ namespace, resource, user, verb }).filter(([, values]) => values.length > 0);
        const filter = {
          ...Object.fromEntries(lists),
          ...(since === undefined ? {} : { since: Number(since) }),
          ...(bodies === true ? { bodies } : {}),
        };
        if (compare !== undefined) {
          exit(await compareJournal(options.dataDir, { filter, file: compare }, outputOf(options)));
          return;
        }
        const target = write === undefined ? undefined : journalTarget(write);
        exit(await journal(options.dataDir, { filter, target }, outputOf(options)));
      },
    );
}

/** Commands that judge files, without a chain that runs. */
function addOffline(program: Command, exit: (code: number) => void): void {
  const collect = (value: string, before: readonly string[]): string[] => [...before, value];
  interface ValidateFlags {
    readonly namespace: string;
    readonly podSecurity?: string;
    readonly ignoreMissing?: boolean;
    readonly failOnWarnings?: boolean;
    readonly kubernetesVersion?: string;
    readonly flag: readonly string[];
    readonly output: ReportFormat;
  }
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
  interface DiffFlags {
    readonly to: string;
    readonly failOnWarnings?: boolean;
    readonly output: ReportFormat;
  }
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
  interface CanIFlags {
    readonly filename: readonly string[];
    readonly as: string;
    readonly asGroup: readonly string[];
    readonly namespace: string;
    readonly output?: string;
  }
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

function addSetupEnvtest(program: Command, exit: (code: number) => void): void {
  program
    .command('setup-envtest')
    .description('make the folder that envtest and its ports take programs from (KUBEBUILDER_ASSETS)')
    .argument('[action]', 'use, list, cleanup or version', 'use')
    .argument('[version]', 'of Kubernetes: 1.36.x, 1.36, ~1.36, latest')
    .addOption(
      new Option('-p, --print <format>', 'what to print')
        .choices(['overview', 'path', 'env', 'json'])
        .default('overview'),
    )
    .option('--bin-dir <dir>', 'where the folder is made (default: below the user’s cache)')
    .option('-i, --installed-only', 'nothing is ever downloaded: without effect')
    .option('--force', 'make it anew: without effect, it is always as it should be')
    .option('-v, --verbose <level>', 'without effect')
    .option('--os <os>', 'without effect: programs run where Node runs')
    .option('--arch <arch>', 'without effect: programs run where Node runs')
    .option('--use-env', 'without effect')
    .option('--use-deprecated-gcs', 'without effect')
    .option('--index <url>', 'without effect')
    .action(
      async (action: string, version: string | undefined, { binDir, print }: { binDir?: string; print: string }) => {
        const { setupEnvtest } = await import('../envtest/setup-envtest.ts');
        exit(setupEnvtest({ action, version, binDir, print, write: (text) => void process.stdout.write(text) }));
      },
    );
}
