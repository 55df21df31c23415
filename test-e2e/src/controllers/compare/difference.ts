/** Lines of a namespace with how often each is there. */
export type Lines = ReadonlyMap<string, number>;

/** Lines that are only on one side (`+` for the first), or there more often. */
export function difference(ours: Lines, theirs: Lines): readonly string[] {
  const lines = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted();
  return lines.flatMap((line) => {
    const [here, there] = [ours.get(line) ?? 0, theirs.get(line) ?? 0];
    if (here === there) return [];
    return [`${here > there ? '+' : '-'} ${line}${here + there > 1 ? `   (${here} here, ${there} there)` : ''}`];
  });
}

/** How far a container has got that ends and starts again: its node's, and the time's. */
const ofNodes = /^Pod .* \.status\.containerStatuses\[\d+\]\.(?:restartCount|lastState|state\.waiting\.message)\b/;

/** How many writes a slice took: who is slower writes once what others write in two steps. */
const ofPace = /^EndpointSlice .* \.metadata\.generation = /;

/** How many nodes there are just then: others' tests take some away. */
const ofNodeCount = /^Pod .*\.message = "0\/\d+ nodes are available/;

/** What is compared of a cluster's own doings: all but what nodes do, and how many steps something took. */
export function isNotOfNodes(line: string): boolean {
  return !ofNodes.test(line) && !ofPace.test(line) && !ofNodeCount.test(line);
}

/** What is compared of workloads: events, what controllers say of themselves and their pods, and who owns what. */
export function isTelling(line: string): boolean {
  if (ofNodes.test(line)) return false;
  return line.startsWith('Event ') || / \.(?:status|revision|metadata\.(?:finalizers|ownerReferences))\b/.test(line);
}

/** Whether a line is about an object of a kind, or an event of one. */
export function isAbout(line: string, kind: string): boolean {
  return line.startsWith(`${kind} `) || line.startsWith(`Event ${kind} `);
}

/** Whether an event tells of a server that did not answer just then, as happens on a busy machine. */
export function isPassing(line: string): boolean {
  return line.startsWith('Event ') && line.includes('the server is currently unable to handle the request');
}
