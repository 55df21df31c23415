import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { scriptOf, type Script } from './simple-script.ts';

const pod = (...containers: object[]): Pod => ({ spec: { containers } }) as unknown as Pod;
const sh = (script: string): object => ({ name: 'c', command: ['/bin/sh', '-c', script] });
const ends = (seconds: number, exitCode = 0): Script => ({ runMs: seconds * 1_000, exitCode });
const never = { runMs: Number.POSITIVE_INFINITY, exitCode: 0 };

describe("what a pod's commands say of its life", () => {
  const rows: readonly (readonly [what: string, given: Pod, expected: Script | undefined])[] = [
    ['a sleep', pod({ command: ['sleep', '5'] }), ends(5)],
    ['a sleep in minutes, as an argument', pod({ command: ['/bin/sleep'], args: ['2m'] }), ends(120)],
    ['one without end', pod({ command: ['sleep', 'infinity'] }), never],
    ['a script that fails', pod(sh('exit 3')), ends(0, 3)],
    ['a script of several', pod(sh('echo hello; sleep 2 && sleep 1; exit 1')), ends(3, 1)],
    ['what comes after an exit', pod(sh('exit 0; sleep 5')), ends(0)],
    ['a loop that waits', pod(sh('while true; do sleep 1; done')), never],
    ['false', pod({ command: ['false'] }), ends(0, 1)],
    ['an image that waits', pod({ image: 'registry.k8s.io/pause:3.10' }), never],
    ['two containers', pod({ command: ['sleep', '1'] }, sh('sleep 2; exit 4')), ends(2, 4)],
    ['another program', pod({ command: ['nginx'] }), undefined],
    ['another program in a script', pod(sh('curl -f web && exit 1')), undefined],
    ['what depends on something', pod(sh('exit $(( $RANDOM / 16384 ))')), undefined],
    ['an image of its own', pod({ image: 'nginx' }), undefined],
    ['two of which one is unknown', pod({ command: ['sleep', '1'] }, { image: 'nginx' }), undefined],
  ];
  for (const [what, given, expected] of rows)
    it(`is told for ${what}`, () => {
      expect(scriptOf(given)).to.deep.equal(expected);
    });
});
