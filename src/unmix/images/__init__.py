"""Images: noise taken off, missing pixels filled in, compression, and the background of a video."""

from unmix.images.background import background
from unmix.images.compress import compress
from unmix.images.denoise import denoise
from unmix.images.inpaint import inpaint
from unmix.images.noise import estimate_noise
from unmix.images.psnr import psnr
from unmix.io.readers.image import read_image, write_image

__all__ = ["background", "compress", "denoise", "estimate_noise", "inpaint", "psnr", "read_image", "write_image"]
