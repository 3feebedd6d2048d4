# The studio, ready to run, with its kernels compiled for the processor that the image is built on.
#
#   docker build -t unmix .                                             in a clone
#   docker run --rm -it --network host -v "$PWD:/data" unmix            then open the link that is printed
#   docker run --rm -v "$PWD:/data" unmix explore table.csv             any other command
#
# The studio listens on 127.0.0.1 and on nothing else, also here: the host's own network makes it the host's 127.0.0.1 (on Linux).
FROM python:3.12 AS build
COPY . /source
RUN pip wheel --no-deps --wheel-dir /wheel /source

FROM python:3.12-slim
ENV NUMBA_CACHE_DIR=/opt/kernels PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
COPY --from=build /wheel /wheel
RUN pip install "$(ls /wheel/*.whl)[studio,images,excel]" \
    && unmix warm --only explore \
    && chmod -R a+rX /opt/kernels \
    && useradd --create-home --uid 1000 analyst \
    && mkdir /data && chown analyst /data

USER 1000
WORKDIR /data
ENTRYPOINT ["unmix"]
CMD ["studio", "--no-browser"]
