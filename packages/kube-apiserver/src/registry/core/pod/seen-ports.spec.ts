import { expect } from 'chai';
import { SeenPorts, type SeenPort } from './seen-ports.ts';

/** What the reference compares one by one. */
function meets(port: SeenPort, other: SeenPort): boolean {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return true;
  if (port.hostPort === 0 || other.hostPort === 0) return true;
  return port.hostPort === other.hostPort && (port.hostIP === '') !== (other.hostIP === '');
}

describe('ports that were seen', () => {
  it('meet a further one as if each pair were looked at, in order', () => {
    const seen = new SeenPorts();
    const before: SeenPort[] = [];
    for (let i = 0; i < 300; i++) {
      const port = { at: String(i), hostIP: ['', 'a', 'b'][(i * 7) % 3] as string, hostPort: ((i * i) % 7) % 4 };
      const met = seen.meeting(port.hostIP, port.hostPort);
      expect(met, JSON.stringify(port)).to.deep.equal(before.filter((other) => meets(port, other)));
      seen.add(port);
      before.push(port);
    }
  });
});
