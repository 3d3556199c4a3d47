export const HeroArt = () => (
  <svg className="hero__art" viewBox="0 0 300 220" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
    <g opacity=".5">
      {Array.from({ length: 24 }, (_, turn) => (
        <ellipse key={turn} cx="262" cy="82" rx="128" ry="50" transform={`rotate(${turn * 7.5} 262 82)`} />
      ))}
    </g>
  </svg>
)
