const WIDTH = 5
const GAP = 1
const HEIGHT = 24

export function ErrorTrend({ days }: { days: number[] }) {
  const most = Math.max(1, ...days)
  const sum = days.reduce((all, times) => all + times, 0)
  const width = days.length * (WIDTH + GAP) - GAP
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      fill="currentColor"
      className="trend"
      role="img"
      aria-label={`${sum} in ${days.length} days, ${days.at(-1) ?? 0} today`}
    >
      {days.map((times, i) => {
        // a single error must be visible
        const height = times === 0 ? 1 : Math.max(3, Math.round((times / most) * HEIGHT))
        return <rect key={i} x={i * (WIDTH + GAP)} y={HEIGHT - height} width={WIDTH} height={height} rx={1} />
      })}
    </svg>
  )
}
