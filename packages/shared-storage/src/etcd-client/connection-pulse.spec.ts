import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionPulse } from './connection-pulse.ts';
import type { PulsedConnection } from './connection-pulse.ts';

/** A connection whose peer answers pings, or does not. */
class Connection implements PulsedConnection {
  readonly #pulse: ConnectionPulse;
  bytesRead = 0;
  bytesWritten = 0;
  reading = true;
  answers = true;
  pings = 0;
  lost = false;

  constructor(pulse: ConnectionPulse) {
    this.#pulse = pulse;
    pulse.add(this);
  }

  ping(): void {
    this.pings++;
    this.bytesWritten += 5;
    if (!this.answers) return;
    this.bytesRead += 5;
    this.#pulse.answered(this);
  }

  lose(): void {
    this.lost = true;
    this.#pulse.delete(this);
  }
}

describe('ConnectionPulse', function () {
  this.timeout(30_000);
  const pulseOf = (options: { readonly keepaliveIntervalMs?: number; readonly silenceMs?: number }): ConnectionPulse =>
    new ConnectionPulse({
      connectTimeoutMs: 1,
      keepaliveIntervalMs: 1_000_000,
      keepaliveTimeoutMs: 20,
      silenceMs: 1_000_000,
      ...options,
    });
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await delay(5);
  };

  it('asks where nothing comes back for what was sent, and breaks what gives no sign of life', async () => {
    const pulse = pulseOf({ silenceMs: 20 });
    const gone = new Connection(pulse);
    gone.answers = false;
    await delay(60);
    expect(gone.pings).to.equal(0);
    gone.bytesWritten += 100;
    await until(() => gone.lost);
    expect(gone.pings).to.equal(1);
  });

  it('asks now and then where nothing is sent, and leaves alone what answers', async () => {
    const pulse = pulseOf({ keepaliveIntervalMs: 20, silenceMs: 20 });
    const sound = new Connection(pulse);
    await until(() => sound.pings > 3);
    await delay(60);
    expect(sound.lost).to.equal(false);
    pulse.delete(sound);
  });

  it('does not go on asking a connection that has answered', async () => {
    const pulse = pulseOf({ silenceMs: 10 });
    const sound = new Connection(pulse);
    sound.bytesWritten += 100;
    await delay(200);
    expect(sound.pings).to.equal(1);
    pulse.delete(sound);
  });

  it('takes whatever comes for a sign of life', async () => {
    const pulse = pulseOf({});
    const busy = new Connection(pulse);
    busy.answers = false;
    pulse.probe(busy);
    busy.bytesRead++;
    await delay(100);
    expect(busy.lost).to.equal(false);
    pulse.delete(busy);
  });

  it('leaves alone what is not read from', async () => {
    const pulse = pulseOf({});
    const paused = new Connection(pulse);
    paused.answers = false;
    pulse.probe(paused);
    paused.reading = false;
    await delay(100);
    pulse.probe(paused);
    expect([paused.pings, paused.lost]).to.deep.equal([1, false]);
    pulse.delete(paused);
  });

  it('asks all others at once where one is dead', async () => {
    const pulse = pulseOf({});
    const [first, second, third] = [new Connection(pulse), new Connection(pulse), new Connection(pulse)];
    first.answers = second.answers = false;
    pulse.probe(first);
    await until(() => second.lost);
    expect([first.lost, third.lost, third.pings > 0]).to.deep.equal([true, false, true]);
    pulse.delete(third);
  });
});
