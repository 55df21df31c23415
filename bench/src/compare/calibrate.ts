const object = {
  metadata: { name: 'calibration', labels: { app: 'bench' } },
  list: Array.from({ length: 20 }, (_, i) => ({ name: `item-${i}`, value: i, text: 'x'.repeat(30) })),
};
const text = JSON.stringify(object);
const turns = 4000;

/**
 * Microseconds of processor time that reading and writing 1.5 KB of JSON take here and now: the unit in which the cost
 * of requests is told, too, because a machine that is slow or busy is so for both.
 * The first loop is not counted: it may run before V8 has optimized it.
 */
export function calibrate(): number {
  loop();
  const before = process.cpuUsage();
  loop();
  const { system, user } = process.cpuUsage(before);
  return (user + system) / turns;
}

function loop(): void {
  for (let i = 0; i < turns; i++) JSON.stringify(JSON.parse(text));
}
