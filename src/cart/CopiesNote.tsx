/** One file is the same however often it is bought: told before it is paid twice. */
export const CopiesNote = ({ quantity }: { quantity: number }) =>
  quantity > 1 && (
    <p className="small" role="status">
      You’ll pay for {quantity.toLocaleString('en')} copies but get one file.
    </p>
  )
