export const CategoryIcon = ({ path }: { path: string }) => (
  <svg className="icon icon--sm" viewBox="0 0 24 24" aria-hidden>
    <path d={path} />
  </svg>
)
