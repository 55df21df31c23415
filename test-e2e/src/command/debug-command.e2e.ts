import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@kubechain/shared-storage/testing';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly callFrames?: readonly { readonly functionName: string }[] };
}

/** A debugger that stops where it is told to, and goes on when it is told to. */
class Debugger {
  readonly #socket: WebSocket;
  readonly stops: string[] = [];
  #lastID = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { method, params } = JSON.parse(String(data)) as Message;
      if (method === 'Debugger.paused') this.stops.push(params?.callFrames?.[0]?.functionName ?? '');
    });
  }

  static async attach(port: number): Promise<Debugger> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('no inspector')));
    });
    const attached = new Debugger(socket);
    attached.#send('Debugger.enable');
    return attached;
  }

  resume(): void {
    this.#send('Debugger.resume');
  }
  pause(): void {
    this.#send('Debugger.pause');
  }
  close(): void {
    this.#socket.close();
  }

  #send(method: string): void {
    this.#socket.send(JSON.stringify({ id: ++this.#lastID, method }));
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const named = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1_000));

describe('kubechain debug', function () {
  this.timeout(120_000);
  let chain: Chain;
  let client: Client;
  let port: number;
  let attached: Debugger;

  const start = async (...flags: string[]): Promise<void> => {
    port = await freePort();
    chain = await startChain({ flags: [...flags, `--inspect=${port}`] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    attached = await Debugger.attach(port);
  };
  const stopped = async (): Promise<void> => {
    for (const end = Date.now() + 30_000; attached.stops.length === 0 && Date.now() < end;) await seconds(0.05);
  };
  afterEach(async () => {
    attached.close();
    client.close();
    await chain.stop();
  });

  it('stops kube-apiserver at the requests that were asked for, while the others wait and serve', async () => {
    await start('--debug=kube-apiserver', '--break-on=create configmaps');
    expect((await client.get(configMaps)).status).to.equal(200);
    expect(attached.stops).to.deep.equal([]);
    const created = client.post(configMaps, named('looked-at'));
    await stopped();
    expect(attached.stops).to.deep.equal(['serve']);
    // Longer than a silent process is waited for otherwise.
    await seconds(6);
    expect((await client.get('/apis/apiregistration.k8s.io/v1/apiservices')).status).to.equal(200);
    attached.resume();
    expect((await created).status).to.equal(201);
  });

  it('holds the store, and the servers wait for it', async () => {
    await start('--debug=store');
    attached.pause();
    const created = client.post(configMaps, named('held'));
    await stopped();
    await seconds(12);
    attached.resume();
    expect((await created).status).to.equal(201);
  });
});

describe('kubechain debug, misread', () => {
  const command = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');
  const refusal = (...args: string[]): string => {
    try {
      execFileSync(process.execPath, [command, ...args], { encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return (error as { readonly stderr: string }).stderr.trim();
    }
  };
  const rows: readonly (readonly [args: readonly string[], text: RegExp])[] = [
    [['debug', 'nobody'], /invalid argument "nobody" for "--debug" flag: must be one of aggregator, .*, store/],
    [['debug', 'store', '--break-on', 'get pods'], /--break-on does not go with it/],
    [['up', '--break-on', 'get pods'], /--break-on needs a process/],
  ];
  for (const [args, text] of rows)
    it(`is told: ${args.join(' ')}`, () => {
      expect(refusal(...args)).to.match(text);
    });
});
