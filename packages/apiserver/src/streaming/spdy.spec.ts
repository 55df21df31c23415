import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { Duplex } from 'node:stream';
import { runCommand, type CommandStreams } from './remote-command.ts';
import { SpdyClient, type SpdyStreamSink } from './spdy-client.ts';
import { SpdyReader } from './spdy-frames.ts';
import { SpdyPeer } from './testing/spdy-peer.ts';

/** Two ends of one connection; bytes arrive in pieces of at most `size`. */
function pair(size = Number.POSITIVE_INFINITY): [Duplex, Duplex] {
  const make = (): Duplex & { other?: Duplex } =>
    new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        for (let at = 0; at < chunk.length; at += size)
          (this as Duplex & { other?: Duplex }).other?.push(chunk.subarray(at, at + Math.min(size, chunk.length)));
        done();
      },
      final(done) {
        (this as Duplex & { other?: Duplex }).other?.push(null);
        done();
      },
    });
  const [a, b] = [make(), make()];
  a.other = b;
  b.other = a;
  return [a, b];
}

const collector = (): SpdyStreamSink & { text: string; ended: number } => ({
  text: '',
  ended: 0,
  data(chunk) {
    this.text += chunk.toString();
  },
  end() {
    this.ended++;
  },
});
const until = async (peer: SpdyPeer, done: () => boolean): Promise<void> => {
  const frames = new EventEmitter();
  peer.onFrame = () => {
    frames.emit('frame');
  };
  while (!done()) await once(frames, 'frame');
};

describe('a SPDY connection', () => {
  for (const size of [1, 7, Number.POSITIVE_INFINITY]) {
    it(`carries streams both ways, in pieces of ${size} bytes`, async () => {
      const [near, far] = pair(size);
      const peer = new SpdyPeer(far);
      const client = new SpdyClient(near, Buffer.alloc(0));
      const [out, err] = [collector(), collector()];
      const first = await client.createStream({ StreamType: 'stdout', port: '80' }, out);
      await client.createStream({ streamtype: 'stderr' }, err);
      expect(peer.streams.map(({ headers, id }) => [id, ...headers])).to.deep.equal([
        [1, ['streamtype', 'stdout'], ['port', '80']],
        [3, ['streamtype', 'stderr']],
      ]);
      first.write(Buffer.from('hello'));
      first.end();
      first.end();
      await until(peer, () => peer.streams[0]?.ended === true);
      expect(peer.streams[0]?.data.toString()).to.equal('hello');
      peer.say('stderr', 'x'.repeat(100), { end: false });
      peer.say('stdout', 'done');
      peer.say('stderr', '');
      peer.end();
      await once(near, 'end');
      expect([out.text, out.ended, err.text, err.ended]).to.deep.equal(['done', 1, 'x'.repeat(100), 1]);
      client.close();
    });
  }

  it("sends the peer's pings back, and gives up streams when it closes", async () => {
    const [near, far] = pair();
    const peer = new SpdyPeer(far);
    const client = new SpdyClient(near, Buffer.alloc(0));
    const sink = collector();
    await client.createStream({ streamtype: 'a' }, sink);
    peer.ping(2);
    peer.ping(3);
    await until(peer, () => peer.pings.length > 0);
    client.close();
    client.close();
    await until(peer, () => peer.resets.length > 0);
    expect([peer.pings, peer.resets, sink.ended]).to.deep.equal([[2], [1], 1]);
    const late = await client.createStream({}, sink).catch((error: unknown) => error);
    expect(String(late)).to.equal('SpdyError: connection closed');
  });

  it('fails streams that the peer does not take', async () => {
    const [near, far] = pair();
    far.on('data', (frame: Buffer) => {
      const reset = Buffer.alloc(16);
      [0x8003_0003, 8, frame.readUInt32BE(8), 3].forEach((word, i) => {
        reset.writeUInt32BE(word, i * 4);
      });
      far.write(reset);
    });
    const refused = await new SpdyClient(near, Buffer.alloc(0))
      .createStream({}, collector())
      .catch((error: unknown) => error);
    expect(String(refused)).to.equal('SpdyError: Stream reset');
    near.destroy();
  });

  it('skips frames that it does not know', () => {
    const seen: string[] = [];
    const note =
      (what: string) =>
      (...args: unknown[]): void => {
        seen.push([what, ...args.map(String)].join(' '));
      };
    const reader = new SpdyReader({
      reply: note('reply'),
      data: note('data'),
      end: note('end'),
      reset: note('reset'),
      ping: note('ping'),
    });
    reader.push(
      Buffer.from(
        '8003000400000004000000008003000900000008000000010000ffff' +
          '8003000200000004' +
          '00000001' +
          '00000001' +
          '01000002' +
          '6869',
        'hex',
      ),
    );
    expect(seen).to.deep.equal(['reply 1', 'data 1 hi', 'end 1']);
  });
});

describe('a command over SPDY', () => {
  const run = async (
    protocol: string,
    streams: Partial<CommandStreams>,
    play: (peer: SpdyPeer) => void,
  ): Promise<{ peer: SpdyPeer; said: string; outcome: unknown }> => {
    const [near, far] = pair();
    const peer = new SpdyPeer(far);
    const client = new SpdyClient(near, Buffer.alloc(0));
    let said = '';
    const note =
      (name: string) =>
      (chunk: Buffer): void => {
        said += `${name}:${chunk.toString()} `;
      };
    const command = await runCommand(client, {
      protocol,
      streams: { stdin: false, stdout: false, stderr: false, tty: false, ...streams },
      output: { stdout: note('out'), stderr: note('err') },
    });
    play(peer);
    const outcome = await command.outcome;
    client.close();
    return { peer, said, outcome };
  };

  it('has the streams that are wanted, in the order of client-go', async () => {
    const { outcome, peer, said } = await run(
      'v4.channel.k8s.io',
      { stdin: true, stdout: true, stderr: true },
      (each) => {
        each.say('stdout', 'a');
        each.say('stderr', 'b');
        each.say('error', '{"metadata":{},"status":"Success"}');
      },
    );
    expect(peer.streams.map(({ headers }) => headers.get('streamtype'))).to.deep.equal([
      'error',
      'stdin',
      'stdout',
      'stderr',
    ]);
    expect([said, outcome]).to.deep.equal(['out:a err:b ', { kind: 'success' }]);
  });

  it('has a terminal instead of errors, where the protocol knows terminals', async () => {
    const types = async (protocol: string): Promise<unknown[]> =>
      (
        await run(protocol, { stdout: true, stderr: true, tty: true }, (peer) => {
          peer.end();
        })
      ).peer.streams.map(({ headers }) => headers.get('streamtype'));
    expect(await types('v5.channel.k8s.io')).to.deep.equal(['error', 'stdout', 'resize']);
    expect(await types('v2.channel.k8s.io')).to.deep.equal(['error', 'stdout']);
  });

  const endings: readonly (readonly [protocol: string, text: string, outcome: object])[] = [
    ['v5.channel.k8s.io', '', { kind: 'success' }],
    [
      'v4.channel.k8s.io',
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"x"},' +
        '{"reason":"ExitCode","message":"3"}]}}',
      { kind: 'exit', code: 3 },
    ],
    [
      'v4.channel.k8s.io',
      '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"256"}]}}',
      { kind: 'error', text: 'error stream protocol error: invalid exit code value "256"' },
    ],
    [
      'v4.channel.k8s.io',
      '{"status":"Failure","reason":"NonZeroExitCode"}',
      { kind: 'error', text: 'error stream protocol error: details must be set' },
    ],
    [
      'v4.channel.k8s.io',
      '{"status":"Failure","reason":"NonZeroExitCode","details":{}}',
      { kind: 'error', text: 'error stream protocol error: no ExitCode cause given' },
    ],
    [
      'v4.channel.k8s.io',
      '{"status":"Failure","message":"no such container"}',
      { kind: 'error', text: 'no such container' },
    ],
    ['v4.channel.k8s.io', '{}', { kind: 'error', text: 'error stream protocol error: unknown error' }],
    ['v3.channel.k8s.io', 'went wrong', { kind: 'error', text: 'error executing remote command: went wrong' }],
    ['', 'went wrong', { kind: 'error', text: 'Error executing remote command: went wrong' }],
  ];
  for (const [protocol, text, outcome] of endings) {
    it(`ends as ${protocol || 'the first protocol'} says with ${text || 'nothing'}`, async () => {
      expect(
        (
          await run(protocol, {}, (peer) => {
            peer.say('error', text);
          })
        ).outcome,
      ).to.deep.equal(outcome);
    });
  }
});
