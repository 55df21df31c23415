import { expect } from 'chai';
import { MessageChannel } from 'node:worker_threads';
import { AuditRelay, takeRelayed, type TakeAuditEvents } from './audit-relay.ts';
import { JSONText } from '../request/json-text.ts';
import { eventText, type AuditEvent, type AuditHold } from './audit-event.ts';

const event: AuditEvent = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID: 'a',
  stage: 'ResponseComplete',
  requestURI: '/',
  verb: 'create',
  user: { username: 'alice' },
  requestObject: { data: { a: 'é' } },
  responseObject: { data: { b: '"' } },
  requestReceivedTimestamp: '',
  stageTimestamp: '',
};

describe('events that a thread records for another one', () => {
  let channel: MessageChannel;
  beforeEach(() => (channel = new MessageChannel()));
  afterEach(() => {
    channel.port1.close();
  });

  function relay(holds: AuditHold, take: TakeAuditEvents): AuditRelay {
    channel.port2.on('message', (message: unknown) => {
      takeRelayed(message, channel.port2, take);
    });
    return new AuditRelay(holds, channel.port1);
  }

  it('come as text, their objects in it alone', async () => {
    const events = await new Promise<readonly AuditEvent[]>((resolve) => {
      const sender = relay('nothing', (taken) => {
        resolve(taken);
        return true;
      });
      expect(sender.process([event])).to.equal(true);
    });
    const [only] = events;
    expect(only).to.include({ auditID: 'a', level: 'RequestResponse' });
    expect(only).to.not.have.any.keys('requestObject', 'responseObject');
    expect(events.map(({ text }) => text)).to.deep.equal([[JSON.stringify(event)]]);
  });

  it('bring JSON that was there already as it was, which the thread keeps', async () => {
    const json = Buffer.from(JSON.stringify({ data: 'é'.repeat(700_000) }));
    const response = JSONText.of([json.subarray(0, 10), json.subarray(10)]);
    const events = await new Promise<readonly AuditEvent[]>((resolve) => {
      const sender = relay('nothing', (taken) => {
        resolve(taken);
        return true;
      });
      void sender.process([{ ...event, responseObject: response }]);
    });
    const text = events.flatMap(eventText).map(String).join('');
    expect(JSON.parse(text)).to.deep.equal({ ...event, responseObject: JSON.parse(json.toString()) as unknown });
    expect(response.toString()).to.equal(json.toString());
  });

  it('hold requests up until the other one has taken them', async () => {
    let taken = false;
    const sender = relay('requests', () => Promise.resolve(taken));
    expect(await sender.process([event])).to.equal(false);
    taken = true;
    expect(await Promise.all([sender.process([event]), sender.process([event])])).to.deep.equal([true, true]);
  });
});
