# The studio, ready to run, with its kernels compiled for the processor that the image is built on.
#
#   docker build -t unmix .
#   docker run --rm -it --network host -v "$PWD:/data" unmix            then open the link that is printed
#   docker run --rm -v "$PWD:/data" unmix explore table.csv             any other command
#
# The studio listens on 127.0.0.1 and on nothing else, also here: the host's own network makes it the host's 127.0.0.1 (on Linux).
FROM python:3.12-slim

ENV NUMBA_CACHE_DIR=/opt/kernels PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN pip install '/source[studio,images,excel]' \
    && rm -rf /source \
    && unmix warm --only explore \
    && chmod -R a+rX /opt/kernels \
    && useradd --create-home analyst \
    && mkdir /data && chown analyst /data

USER analyst
WORKDIR /data
ENTRYPOINT ["unmix"]
CMD ["studio", "--no-browser"]
