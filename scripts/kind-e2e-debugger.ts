// Runs a command while a debugger is attached that says where it stops, and goes on. Fails when the command does, or
// when nothing stopped.
//   node scripts/kind-e2e-debugger.ts http://127.0.0.1:PORT COMMAND ARGUMENT…
import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface Message {
  /** Of the command that it answers. */
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly callFrames?: readonly {
      readonly functionName: string;
      readonly location: { readonly scriptId: string };
    }[];
    readonly scriptId?: string;
    readonly url?: string;
  };
}

const [inspector = '', command = '', ...args] = process.argv.slice(2);
const targets = (await (await fetch(`${inspector}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
const address = new URL(targets[0]?.webSocketDebuggerUrl ?? '');
// The inspector names the port that it has in its pod.
address.host = new URL(inspector).host;
const socket = new WebSocket(address);
await once(socket, 'open');
/** Of scripts, by their numbers: frames do not have them. */
const urls = new Map<string, string>();
let stops = 0;
let id = 0;
const send = (method: string): number => {
  socket.send(JSON.stringify({ id: ++id, method }));
  return id;
};
const enabled = Promise.withResolvers<undefined>();
let enabling = 0;
socket.addEventListener('message', ({ data }) => {
  const { id: answered, method, params } = JSON.parse(String(data)) as Message;
  if (answered === enabling) enabled.resolve(undefined);
  if (method === 'Debugger.scriptParsed') urls.set(params?.scriptId ?? '', params?.url ?? '');
  if (method !== 'Debugger.paused') return;
  const frame = params?.callFrames?.[0];
  console.log(`stopped in ${frame?.functionName} (${urls.get(frame?.location.scriptId ?? '')})`);
  stops++;
  send('Debugger.resume');
});
enabling = send('Debugger.enable');
// What comes before it is on would not stop.
await enabled.promise;
const child = spawn(command, args, { stdio: 'inherit' });
const [code] = (await once(child, 'exit')) as [number | null];
socket.close();
if (code === 0 && stops === 0) console.error('the debugger has seen nothing');
process.exitCode = code === 0 && stops > 0 ? 0 : 1;
