// React's types do not allow custom properties in `style`.
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined
  }
}
export {}
