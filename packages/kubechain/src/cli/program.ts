import { Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { completionScript, SHELLS } from './completion.ts';
import { UP_FLAGS, UP_HELP } from './help.ts';
import { collect, outputOf, type CommandOnDirectory, type Common } from './common-options.ts';
import { addControlCommands } from './control-commands.ts';
import { addOfflineCommands } from './offline-commands.ts';
import { outputTo, type Output } from './output.ts';

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
  const onDirectory: CommandOnDirectory = (name, description) =>
    program
      .command(name)
      .description(description)
      .option('--data-dir <dir>', 'of the chain', '.kubechain')
      .addOption(new Option('--output <format>', 'for programs').choices(['text', 'json']));
  addChainCommands(program, onDirectory, exit);
  addFlags(program, exit);
  addControlCommands(onDirectory, exit);
  addOfflineCommands(program, exit);
  addSetupEnvtest(program, exit);
  addCompletion(program);
  addVersion(program);
  return program;
}

/** Commands that look at a chain or end it. */
function addChainCommands(program: Command, onDirectory: CommandOnDirectory, exit: (code: number) => void): void {
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
    .option('--merge', 'put it into your own (KUBECONFIG or ~/.kube/config), and make its context the current one')
    .option('--context <name>', 'with --merge: the name of context, cluster and user', 'kubechain')
    .action(
      async ({
        context,
        merge = false,
        ...options
      }: Common & { readonly context: string; readonly merge?: boolean }) => {
        const { kubeconfig, mergeKubeconfig } = await import('./kubeconfig.ts');
        const output = outputOf(options);
        exit(merge ? mergeKubeconfig(options.dataDir, output, context) : kubeconfig(options.dataDir, output));
      },
    );
  onDirectory('doctor', 'look for what would keep a chain from running here')
    .option('--secure-port <port>', 'that it is to have', '6443')
    .action(async ({ securePort, ...options }: Common & { readonly securePort: string }) => {
      const { doctor } = await import('./doctor.ts');
      exit(await doctor({ dataDir: options.dataDir, output: outputOf(options), port: Number(securePort) }));
    });
}

function addFlags(program: Command, exit: (code: number) => void): void {
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
}

function addCompletion(program: Command): void {
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
}

function addVersion(program: Command): void {
  program
    .command('version')
    .description('print the version')
    .action(() => {
      process.stdout.write(`kubechain ${manifest.version}\n`);
    });
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
