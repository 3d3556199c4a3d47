/** Warns that several copies of a file are still one file. */
export const CopiesNote = ({ quantity }: { quantity: number }) =>
  quantity > 1 && (
    <p className="small" role="status">
      You’ll pay for {quantity.toLocaleString('en')} copies but get one file.
    </p>
  )
