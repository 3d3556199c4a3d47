import { useState } from 'react'
import { AddProductUploads } from '../catalogue/add-product/AddProductUploads.tsx'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { Button } from '../ui/Button.tsx'
import type { Uploads } from '../catalogue/add-product/useAddProduct.ts'

const NOTHING: Uploads = { image: null, file: null }

type OwnImageProps = {
  product: Product
  onChange: (imageUrl: string | null) => void
}

export function OwnImage({ product, onChange }: OwnImageProps) {
  const [uploads, setUploads] = useState(NOTHING)
  const fresh = uploads.image && product.imageUrl === uploads.image.url ? uploads : NOTHING
  return (
    <div className="own-image">
      {!fresh.image && <ProductImage product={product} sizes="12rem" isLazy={false} />}
      <AddProductUploads
        kinds={['image']}
        uploads={fresh}
        onChange={(next) => {
          setUploads(next)
          onChange(next.image?.url ?? null)
        }}
      />
      {product.imageUrl && (
        <Button tone="quiet" onClick={() => onChange(null)}>
          Remove the picture
        </Button>
      )}
    </div>
  )
}
