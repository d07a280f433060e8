#!/usr/bin/env bash
# rv-train learns from ImageNet's folders; a damaged image and a folder without images are named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

python3 - <<'EOF'
import os
for n in range(8):
    for name, colour in ("n01440764", lambda x, y: (200 + n, x, y)), ("n01443537", lambda x, y: (30, 90 + x, 250 - n)):
        os.makedirs(f"images/val/{name}", exist_ok=True)
        with open(f"images/val/{name}/ILSVRC2012_val_0000000{n}.ppm", "wb") as file:
            file.write(b"P6 %d %d 255\n" % (40 + n, 50 - n))
            file.write(bytes(value for y in range(50 - n) for x in range(40 + n) for value in colour(x, y)))
EOF
for picture in images/val/*/*.ppm; do
  cjpeg -quality 90 "$picture" >"${picture%.ppm}.JPEG" || fail "cjpeg can't make $picture"
done
exits 0 worker --device cpu --local-ranks 2 --model resnet18 --data-mode imagenet --data-dir images --image-size 16 --num-classes 2 \
  --batch-size 8 --steps 6 --learning-rate 0.003 --data-threads 2 --results results.json
says "it is learnt" 'd["losses"][-1] < 0.5 * d["losses"][0]' results.json
says "who reads" 'd["reader"]["threads"] == 2 and d["reader"]["images"] >= 48 and d["reader"]["images_per_second"] > 0' results.json
says "who decodes" 'd["reader"]["decoder"] == "libjpeg-turbo" and d["reader"]["images_by_host"] >= 48 and d["reader"]["images_by_nvjpeg"] == 0' results.json
exits 3 worker --device cpu --local-ranks 1 --model resnet18 --data-mode imagenet --data-dir images --decoder nvjpeg
has_line stdout "decoder nvjpeg is not available: it needs a GPU; --decoder host works without it" "$out"
exits 2 worker --device cpu --local-ranks 1 --model resnet18 --decoder nvjpeg
truncate -s 300 images/val/n01440764/ILSVRC2012_val_00000001.JPEG
exits 3 worker --device cpu --local-ranks 2 --model resnet18 --data-mode imagenet --data-dir images --image-size 16 --num-classes 2 --steps 10
has_line stdout 'images/val/n01440764/ILSVRC2012_val_00000001.JPEG is damaged or cut off \(.*; unpack it again from the archive' "$out"
exits 3 worker --device cpu --local-ranks 1 --model resnet18 --data-mode imagenet --data-dir nowhere
has_line stdout 'nowhere has no images of ImageNet; download them from https://www.image-net.org' "$out"
