import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { callDirectly } from './direct-call.ts';

const call = { method: 'POST', url: '/a?b=c', headers: { 'content-type': 'text/plain' } };

describe('a request without a connection', () => {
  it('is answered with what the handler writes', async () => {
    const answer = await callDirectly(
      (request, response) => {
        void text(request).then((body) => {
          response.setHeader('Warning', ['one', 'two']);
          response.writeHead(201, { 'Content-Type': 'text/plain' });
          response.write(`${request.method} ${request.url} `);
          response.end(`${request.headers['content-type']} ${body}`);
        });
      },
      { ...call, body: Buffer.from('body') },
    );
    expect([answer.status, answer.body.toString()]).to.deep.equal([201, 'POST /a?b=c text/plain body']);
    expect({ ...answer.headers }).to.deep.include({ warning: ['one', 'two'], 'content-type': 'text/plain' });
  });

  it('ends as over a connection', async () => {
    const told: string[] = [];
    await callDirectly((_request, response) => {
      for (const event of ['finish', 'close'] as const)
        response.once(event, () => told.push(`${event} ${response.writableEnded} ${response.writableFinished}`));
      response.end(() => told.push('sent'));
    }, call);
    expect(told).to.include.members(['finish true true', 'close true true', 'sent']);
  });

  it('fails where the answer is broken off', async () => {
    const failed = await callDirectly((_request, response) => {
      response.write('half');
      response.destroy();
    }, call).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    expect(failed).to.equal('the answer was broken off');
  });
});
