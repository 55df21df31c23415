import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { bytes, number } from './format.ts';
import type { LoadPoint, Model } from './model.ts';
import { quantiles } from './statistics.ts';
import { useLoaded } from './use-model.ts';
import { get } from './calls.ts';
import type { WatchState } from '@kubechain/apiserver/control';

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'other'];
const colours = ['--blue', '--green', '--violet', '--amber', '--teal', '--pink', '--red', '--grey'];
const heightPx = 210;
/** Counts of watches that are kept, one a second. */
const mostCounts = 600;

/** Rates, latencies and what processes use, over the time that the page has been open. */
export function Charts({ model }: { readonly model: Model }): JSX.Element {
  const points = model.loads.get(model.first) ?? [];
  const times = points.map(({ atMs }) => atMs / 1_000);
  const servers = model.facts?.servers ?? [];
  const latencies = points.map((_, index) =>
    quantiles(points.slice(Math.max(0, index - 4), index + 1), model.facts?.latencyBoundsMs ?? []),
  );
  const used = verbs.filter((verb) => points.some(({ load }) => (load.ended[verb] ?? 0) > 0));
  const watches = useLoaded('watches', () => get<{ readonly watches: readonly WatchState[] }>('/v1/watches'), 1_000);
  const counts = useRef<{ at: number; open: number; unread: number }[]>([]);
  useEffect(() => {
    const open = watches.value?.watches;
    if (open === undefined) return;
    const unread = open.reduce((total, { unreadBytes }) => total + unreadBytes, 0);
    counts.current.push({ at: Date.now() / 1_000, open: open.length, unread });
    if (counts.current.length > mostCounts) counts.current.shift();
  }, [watches.value]);
  const perServer = (of: (point: LoadPoint) => number): Series[] =>
    servers.map((name) => ({ name, values: aligned(points, model.loads.get(name) ?? [], of) }));
  return (
    <div class="charts">
      <Chart
        title="Requests a second, by verb"
        times={times}
        series={used.map((verb) => ({ name: verb, values: points.map(({ load }) => load.ended[verb] ?? 0) }))}
      />
      <Chart
        title="Time to the end of an answer"
        times={times}
        unit={(value) => `${number(value)} ms`}
        series={['50 %', '90 %', '99 %'].map((name, index) => ({
          name,
          values: latencies.map((each) => each[index]!),
        }))}
      />
      <Chart
        title="Failed a second"
        times={times}
        series={[
          { name: '4xx and 5xx', values: points.map(({ load }) => load.failed) },
          { name: '5xx', values: points.map(({ load }) => load.broken) },
        ]}
      />
      <Chart
        title="Event loop delay, 99 %"
        times={times}
        unit={(value) => `${number(value)} ms`}
        series={perServer(({ load }) => load.delayMs[1])}
      />
      <Chart
        title="Processor"
        least={0.1}
        times={times}
        unit={(value) => `${number(value * 100)} %`}
        series={perServer(({ load }) => load.processor)}
      />
      <Chart title="Memory" times={times} unit={bytes} series={perServer(({ load }) => load.rssBytes)} />
      <Chart
        title="Events in the windows of watch caches"
        least={10}
        times={times}
        series={perServer(({ load }) => load.caches.events)}
      />
      <Chart
        title="Objects in watch caches"
        least={10}
        times={times}
        series={perServer(({ load }) => load.caches.objects)}
      />
      <Chart
        title="Open watches"
        times={counts.current.map(({ at }) => at)}
        series={[{ name: 'open', values: counts.current.map(({ open }) => open) }]}
      />
      <Chart
        title="Not yet taken by watchers"
        least={1_024}
        times={counts.current.map(({ at }) => at)}
        unit={bytes}
        series={[{ name: 'bytes', values: counts.current.map(({ unread }) => unread) }]}
      />
    </div>
  );
}

/** The values of one process at the seconds of another, as near as they are. */
function aligned(
  points: readonly LoadPoint[],
  others: readonly LoadPoint[],
  of: (point: LoadPoint) => number,
): (number | null)[] {
  const skip = others.length - points.length;
  return points.map((_, index) => {
    const other = others[index + skip];
    return other === undefined ? null : of(other);
  });
}

interface ChartOptions {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly unit?: (value: number) => string;
  /** What the axis reaches to at least. */
  readonly least?: number;
}

function Chart({ least = 1, series, times, title, unit = number }: ChartOptions): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = series.map(({ name }) => name).join(' ');
  const theme = document.documentElement.dataset['theme'] ?? 'system';
  useEffect(() => {
    const element = place.current!;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
    const chart = new uPlot(
      {
        width: Math.max(100, element.clientWidth),
        height: heightPx,
        cursor: { sync: { key: 'charts' }, y: false },
        legend: { live: true },
        scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, least)] } },
        axes: [axis, { ...axis, size: 70, values: (_, values) => values.map(unit) }],
        series: [
          {},
          ...series.map(({ name }, index) => ({
            label: name,
            stroke: colour(colours[index % colours.length]!),
            width: 1.75,
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? '–' : unit(value)),
          })),
        ],
      },
      [[], ...series.map(() => [])],
      element,
    );
    plot.current = chart;
    const resize = new ResizeObserver(() => {
      chart.setSize({ width: Math.max(100, element.clientWidth), height: heightPx });
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [names, theme]);
  useEffect(() => {
    plot.current?.setData([[...times], ...series.map(({ values }) => [...values])]);
  });
  return (
    <figure class="card chart">
      <figcaption>{title}</figcaption>
      <div ref={place} />
    </figure>
  );
}
