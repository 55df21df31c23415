import { expect } from 'chai';
import type { ServerContext } from '../context/server-context.ts';
import { closeContext, openContext, put } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import type { HeldReply } from './group-commit.ts';

class Reply implements HeldReply {
  outcome = 'held';

  release(): void {
    this.outcome = 'released';
  }

  abandon(error: Error): void {
    this.outcome = error.message;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const keys = (context: ServerContext): string[] => [...context.store.index].map((record) => record.key);

describe('GroupCommit', () => {
  it('commits the writes of a turn together and answers after that', async () => {
    using directory = new TemporaryDirectory();
    const context = openContext({ dataFile: directory.file('data.db') });
    await turn();
    let commits = 0;
    const revisions: number[] = [];
    context.store.observe({
      published: (events, revision) => {
        commits++;
        expect(events).to.have.length(50);
        revisions.push(revision);
      },
      reloaded: () => undefined,
    });
    const replies = Array.from({ length: 50 }, (_, index) => {
      put(context, `key ${index}`, 'x');
      const reply = new Reply();
      context.commit.hold(reply);
      return reply;
    });
    const read = new Reply();
    context.commit.hold(read);
    expect([...replies, read].map((reply) => reply.outcome)).to.not.include('released');
    await turn();
    expect(new Set([...replies, read].map((reply) => reply.outcome))).to.deep.equal(new Set(['released']));
    expect(commits).to.equal(1);
    expect(revisions).to.deep.equal([51]);
    const idle = new Reply();
    context.commit.hold(idle);
    expect(idle.outcome).to.equal('released');
    closeContext(context);
  });

  it('takes a batch back as a whole when the disk is full', async () => {
    using directory = new TemporaryDirectory();
    const context = openContext({ dataFile: directory.file('data.db') });
    put(context, 'kept', 'x');
    context.lessor.grant(5, 1000);
    await turn();
    context.database.exec(
      `PRAGMA max_page_count = ${Number(context.database.prepare('PRAGMA page_count').get()?.['page_count']) + 20}`,
    );
    const first = new Reply();
    put(context, 'lost', 'y');
    put(context, 'kept', 'lost as well');
    context.lessor.grant(6, 1000);
    context.commit.hold(first);
    expect(() => put(context, 'too large', Buffer.alloc(400_000))).to.throw(
      'etcdserver: mvcc: database space exceeded',
    );
    expect(first.outcome).to.equal('etcdserver: mvcc: database space exceeded');
    expect(keys(context)).to.deep.equal(['kept']);
    expect(context.store.revision).to.equal(2);
    expect(context.lessor.ids()).to.deep.equal([5]);
    expect(context.commit.noSpace).to.equal(true);
    put(context, 'next', 'z');
    await turn();
    expect(context.store.revision).to.equal(3);
    expect(context.commit.noSpace).to.equal(false);
    closeContext(context);
  });
});
