import { expect } from 'chai';
import { isLaunchError } from '../launch-error.ts';
import { flags } from './flags.ts';
import type { Output } from './output.ts';

describe('kubechain flags', () => {
  async function told(asked?: string): Promise<string> {
    let text = '';
    const output: Output = {
      json: false,
      result: (_data, lines) => {
        text = lines().join('\n');
      },
      colour: (_colour, plain) => plain,
    };
    expect(await flags(asked, { output })).to.equal(0);
    return text;
  }

  async function refusal(asked: string): Promise<string> {
    try {
      return `not refused: ${await told(asked)}`;
    } catch (error) {
      if (!isLaunchError(error)) throw error;
      return error.message;
    }
  }

  it('lists the topics, and the processes that have flags of them', async () => {
    const text = await told();
    expect(text).to.match(/^ {2}authentication +\d+ flags +aggregator, kube-apiserver, apiextensions$/m);
    expect(text).to.match(/^ {2}leader-election +\d+ flags +controllers$/m);
  });

  it('tells the flags of a topic, and one flag with the processes that have it', async () => {
    expect(await told('built-in-resources'))
      .to.contain('--event-ttl duration')
      .and.to.match(/^Built-in resources flags:/);
    expect(await told('--event-ttl'))
      .to.match(/^ +--event-ttl duration$/m)
      .and.to.match(/Of kube-apiserver\.$/);
    expect(await told('event_ttl')).to.equal(await told('--event-ttl'));
    expect(await told('--enable-aggregator-routing')).to.match(/Of aggregator\.$/);
  });

  it('tells what may have been meant', async () => {
    expect(await refusal('--authorization-mod')).to.match(/did you mean --authorization-mode, /);
    expect(await refusal('serving')).to.contain('secure-serving');
    expect(await refusal('quark')).to.equal('there is no topic or flag "quark"; kubechain flags lists the topics');
  });
});
