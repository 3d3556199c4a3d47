// React's types allow no custom properties in a style attribute.
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined
  }
}
export {}
